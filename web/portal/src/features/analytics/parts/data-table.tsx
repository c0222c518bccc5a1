/** The values of a chart as a table, for screen readers. */
import { VisuallyHidden } from '@mantine/core';

interface DataTableProps {
  caption: string;
  head: readonly string[];
  /** The first cell of each row is its name. */
  rows: readonly (readonly string[])[];
}

export function DataTable({ caption, head, rows }: DataTableProps) {
  return (
    <VisuallyHidden>
      <table>
        <caption>{caption}</caption>
        <thead>
          <tr>
            {head.map((name) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(([name, ...cells], row) => (
            <tr key={`${row.toString()} ${name ?? ''}`}>
              <th scope="row">{name}</th>
              {cells.map((cell, column) => (
                <td key={head[column + 1]}>{cell}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </VisuallyHidden>
  );
}
