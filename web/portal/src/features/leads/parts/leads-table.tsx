/** The table of leads. */
import { Badge, Skeleton, Table, Text } from '@mantine/core';
import { nameOf } from '~/features/profile/model.ts';
import { countryName } from '~/shared/lib/country.ts';
import { Surface } from '~/shared/ui/surface.tsx';
import { type Lead, temperatures } from '../model.ts';
import { leadTexts } from '../texts.ts';
import classes from './leads-table.module.css';

/** Placeholder rows while loading. */
const PLACEHOLDERS = 5;

export function LeadsTable({ leads, onOpen }: { leads: readonly Lead[] | undefined; onOpen: (lead: Lead) => void }) {
  return (
    <Surface flush>
      <Table.ScrollContainer minWidth={1080}>
        <Table verticalSpacing={11} horizontalSpacing="md" highlightOnHover className={classes.table ?? ''}>
          <Table.Thead>
            <Table.Tr>
              {leadTexts.columns.map((column) => (
                <Table.Th key={column} scope="col">
                  {column}
                </Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {leads === undefined
              ? Array.from({ length: PLACEHOLDERS }, (_, row) => <PlaceholderRow key={row.toString()} />)
              : leads.map((lead) => <LeadRow key={lead.userId} lead={lead} onOpen={() => onOpen(lead)} />)}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
    </Surface>
  );
}

function PlaceholderRow() {
  return (
    <Table.Tr>
      {leadTexts.columns.map((column) => (
        <Table.Td key={column}>
          <Skeleton height={14} width="80%" />
        </Table.Td>
      ))}
    </Table.Tr>
  );
}

/** The whole row opens the lead; the name is a button for keyboard users. */
function LeadRow({ lead, onOpen }: { lead: Lead; onOpen: () => void }) {
  const { profile } = lead;
  return (
    <Table.Tr className={classes.row ?? ''} onClick={onOpen}>
      <Table.Td>
        <button
          type="button"
          className={classes.name}
          onClick={(event) => {
            event.stopPropagation();
            onOpen();
          }}
        >
          {profile === undefined ? leadTexts.lead : nameOf(profile)}
        </button>
      </Table.Td>
      <Table.Td>{profile?.email}</Table.Td>
      <Table.Td className="tabular">{profile?.phoneNumber}</Table.Td>
      <Table.Td>{countryName(profile?.country ?? '')}</Table.Td>
      <Table.Td>
        <LeadType lead={lead} />
      </Table.Td>
      <Table.Td>{profile?.company}</Table.Td>
      <Table.Td>{profile?.businessArea}</Table.Td>
      <Table.Td>{profile?.jobTitle}</Table.Td>
    </Table.Tr>
  );
}

/** Temperature badge with the score. */
export function LeadType({ lead }: { lead: Lead }) {
  const { label, color } = temperatures[lead.temperature];
  return (
    <span className={classes.type}>
      <Badge color={color}>{label}</Badge>
      <Text component="span" fz="sm" c="dimmed" className="tabular">
        {lead.score}
      </Text>
    </span>
  );
}
