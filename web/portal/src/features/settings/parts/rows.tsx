/** Rows of a settings card: icon, title, detail and action. */
import { Skeleton, Text } from '@mantine/core';
import type { TablerIcon } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { commonTexts } from '~/shared/lib/texts.ts';
import classes from './rows.module.css';

interface RowProps {
  icon: TablerIcon;
  title: ReactNode;
  detail: string;
  /** At the end of the row, or below it on small screens. */
  action?: ReactNode;
}

export function Row({ icon: Icon, title, detail, action }: RowProps) {
  return (
    <li className={classes.row}>
      <span className={classes.icon} aria-hidden>
        <Icon size={20} stroke={1.6} />
      </span>
      <div className={classes.words}>
        <div className={classes.title}>{title}</div>
        <Text c="dimmed" fz="sm" className={classes.detail}>
          {detail}
        </Text>
      </div>
      {action !== undefined && <div className={classes.action}>{action}</div>}
    </li>
  );
}

export function Rows({ children, label }: { children: ReactNode; label: string }) {
  return (
    <ul className={classes.rows} aria-label={label}>
      {children}
    </ul>
  );
}

/** Rows while loading; some end in a button. */
export function RowsSkeleton({ rows }: { rows: readonly ('plain' | 'button')[] }) {
  return (
    <div role="status" aria-busy="true" aria-label={commonTexts.loading}>
      {rows.map((kind, index) => (
        <div key={index.toString()} className={classes.row}>
          <Skeleton width={36} height={36} radius="md" />
          <div className={classes.words}>
            <Skeleton width="40%" height={12} my={4} />
            <Skeleton width="65%" height={10} my={5} />
          </div>
          {kind === 'button' && (
            <div className={classes.action}>
              <Skeleton width={110} height={30} />
            </div>
          )}
        </div>
      ))}
    </div>
  );
}
