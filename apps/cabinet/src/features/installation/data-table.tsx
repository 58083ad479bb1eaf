import { Table } from '@mantine/core';
import type { ReactNode } from 'react';

interface DataTableProps {
  caption: string;
  head: { name: string; isNumber: boolean }[];
  rows: { key: string; cells: ReactNode[] }[];
}

/** A table of the page: as long as it is, without filters. */
export function DataTable({ caption, head, rows }: DataTableProps) {
  return (
    <Table.ScrollContainer minWidth={320}>
      <Table>
        <caption className="visually-hidden">{caption}</caption>
        <Table.Thead>
          <Table.Tr>
            {head.map(({ name, isNumber }) => (
              <Table.Th key={name} scope="col" ta={isNumber ? 'end' : undefined}>
                {name}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map(({ key, cells }) => (
            <Table.Tr key={key}>
              {cells.map((cell, i) => (
                <Table.Td
                  key={head[i]!.name}
                  ta={head[i]!.isNumber ? 'end' : undefined}
                  className={head[i]!.isNumber ? 'numeric' : undefined}
                >
                  {cell}
                </Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}
