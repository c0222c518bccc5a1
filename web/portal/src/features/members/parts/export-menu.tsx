/** Exports people as CSV. */
import { Button, Menu } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { download } from '~/shared/lib/download.ts';
import { commonTexts } from '~/shared/lib/texts.ts';
import { exportPeople } from '../api/member-queries.ts';
import { type ExportFilter, exportFilters } from '../model.ts';
import { memberTexts } from '../texts.ts';

export function ExportMenu({ orgId }: { orgId: string }) {
  const save = useMutation({
    mutationFn: async (filter: ExportFilter) => download(memberTexts.csvName, await exportPeople(orgId, filter)),
    meta: { failure: 'server' },
  });
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button variant="default" leftSection={<IconDownload size={16} stroke={1.7} />} loading={save.isPending}>
          {memberTexts.export}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {exportFilters.map(({ value, label }) => (
          <Menu.Item key={value} onClick={() => save.mutate(value)}>
            {label}
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.Item>{commonTexts.cancel}</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
