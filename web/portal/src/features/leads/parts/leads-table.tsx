/** The table of leads, for wide screens. */
import { Skeleton, Table } from '@mantine/core';
import { IconChevronDown } from '@tabler/icons-react';
import { countryName } from '~/shared/lib/country.ts';
import { commonTexts } from '~/shared/lib/texts.ts';
import { Surface } from '~/shared/ui/surface.tsx';
import type { Lead } from '../model.ts';
import type { Sort } from '../search.ts';
import { leadTexts } from '../texts.ts';
import { LeadName } from './lead-name.tsx';
import { LeadType } from './lead-type.tsx';
import classes from './leads-table.module.css';

/** Placeholder rows while loading. */
export const PLACEHOLDERS = 5;
/** Widths of the columns, in px; the sum is the least width of the table. */
const widths = [240, 240, 160, 140, 190, 180, 190, 180];

export interface LeadsProps {
  /** Undefined while loading. */
  leads: readonly Lead[] | undefined;
  now: number;
  sort: Sort;
  onSort: (sort: Sort) => void;
  onOpen: (lead: Lead) => void;
}

/** Columns by which the server can sort, always from the highest value. */
const sortable: Readonly<Partial<Record<(typeof leadTexts.columns)[number], { by: Sort; title: string }>>> = {
  User: { by: 'lastSeen', title: leadTexts.sortBySeen },
  'Lead type': { by: 'score', title: leadTexts.sortByScore },
};

export function LeadsTable({ leads, now, sort, onSort, onOpen }: LeadsProps) {
  return (
    <Surface flush>
      <Table.ScrollContainer
        minWidth={widths.reduce((sum, width) => sum + width, 0)}
        type="native"
        className={classes.scroll ?? ''}
      >
        <Table
          verticalSpacing={8}
          horizontalSpacing="md"
          highlightOnHover
          className={classes.table ?? ''}
          aria-label={leadTexts.list}
          aria-busy={leads === undefined}
        >
          <colgroup>
            {widths.map((width, column) => (
              <col key={leadTexts.columns[column]} style={{ width }} />
            ))}
          </colgroup>
          <Table.Thead>
            <Table.Tr>
              {leadTexts.columns.map((column) => (
                <Head key={column} column={column} sort={sort} onSort={onSort} />
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {leads === undefined
              ? Array.from({ length: PLACEHOLDERS }, (_, row) => <PlaceholderRow key={row.toString()} />)
              : leads.map((lead) => <LeadRow key={lead.userId} lead={lead} now={now} onOpen={() => onOpen(lead)} />)}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
    </Surface>
  );
}

interface HeadProps {
  column: (typeof leadTexts.columns)[number];
  sort: Sort;
  onSort: (sort: Sort) => void;
}

function Head({ column, sort, onSort }: HeadProps) {
  const order = sortable[column];
  if (order === undefined) return <Table.Th scope="col">{column}</Table.Th>;
  const sorted = order.by === sort;
  return (
    <Table.Th scope="col" aria-sort={sorted ? 'descending' : 'none'}>
      <button type="button" className={classes.sort} title={order.title} onClick={() => onSort(order.by)}>
        {column}
        <IconChevronDown size={14} stroke={2} aria-hidden className={sorted ? classes.sorted : classes.unsorted} />
      </button>
    </Table.Th>
  );
}

function PlaceholderRow() {
  return (
    <Table.Tr className={classes.row ?? ''} data-placeholder>
      {leadTexts.columns.map((column) => (
        <Table.Td key={column}>
          <Skeleton height={14} width="80%" />
        </Table.Td>
      ))}
    </Table.Tr>
  );
}

interface LeadRowProps {
  lead: Lead;
  now: number;
  onOpen: () => void;
}

/** The whole row opens the lead; the name is a button for keyboard users. */
function LeadRow({ lead, now, onOpen }: LeadRowProps) {
  const { profile, profileState } = lead;
  const cells = [
    [profile?.email],
    [profile?.phoneNumber, 'tabular'],
    [countryName(profile?.country ?? '')],
    null,
    [profile?.company],
    [profile?.businessArea],
    [profile?.jobTitle],
  ] as const;
  return (
    <Table.Tr className={classes.row ?? ''} onClick={onOpen}>
      <Table.Td>
        <LeadName lead={lead} now={now} size={32} onOpen={onOpen} />
      </Table.Td>
      {cells.map((cell, column) => (
        <Table.Td key={leadTexts.columns[column + 1]} className={cell?.[1] ?? ''}>
          {cell === null ? (
            <LeadType lead={lead} />
          ) : profileState === 'loading' ? (
            <Skeleton height={12} width="70%" />
          ) : profileState === 'failed' ? null : (
            <Value text={cell[0]} />
          )}
        </Table.Td>
      ))}
    </Table.Tr>
  );
}

function Value({ text }: { text: string | undefined }) {
  if (text === undefined || text === '') return <span className={classes.none}>{commonTexts.notAvailable}</span>;
  return (
    <span className={classes.value} title={text}>
      {text}
    </span>
  );
}
