/** Exports people as CSV. */
import { Button, Menu } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { session } from '~/shared/api/session.ts';
import { download, toCsv } from '~/shared/lib/csv.ts';
import { commonTexts } from '~/shared/lib/texts.ts';
import { allPeople } from '../api/member-queries.ts';
import { type ExportFilter, exportFilters, exportHeader, exportRow, filterPeople } from '../model.ts';
import { memberTexts } from '../texts.ts';

export function ExportMenu({ orgId }: { orgId: string }) {
  const save = useMutation({
    mutationFn: async (filter: ExportFilter) => {
      const [people, { callingCodeOf }] = await Promise.all([allPeople(orgId), import('~/shared/lib/calling-code.ts')]);
      const rows = filterPeople(people, filter, session.now()).map((one) =>
        exportRow(one, callingCodeOf(one.user.phoneNumber)),
      );
      download(memberTexts.csvName, toCsv(exportHeader, rows));
    },
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
