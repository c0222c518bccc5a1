/** The link above a title, back to the screen that this one belongs to. */
import { Anchor } from '@mantine/core';
import { IconArrowLeft } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import classes from './back-link.module.css';

export function BackLink({ to, label }: { to: string; label: string }) {
  return (
    <Anchor component={Link} to={to} c="dimmed" fz="sm" className={classes.back}>
      <IconArrowLeft size={16} stroke={1.7} aria-hidden />
      {label}
    </Anchor>
  );
}
