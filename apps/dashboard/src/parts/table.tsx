import { UnstyledButton, VisuallyHidden } from '@mantine/core';
import { useVirtualizer } from '@tanstack/react-virtual';
import { type ReactNode, memo, useMemo, useRef, useState } from 'react';
import styles from './table.module.css';

const ROW_HEIGHT = 34;

export interface Column<Row> {
  readonly name: string;
  /** CSS width in the grid of columns, such as `120px` or `minmax(160px, 1fr)`. */
  readonly width: string;
  readonly align?: 'end';
  /** By what the column is sorted; without it it cannot be. */
  readonly order?: (row: Row) => string | number;
  readonly cell: (row: Row) => ReactNode;
}

interface Sort {
  readonly column: number;
  readonly descending: boolean;
}

/** A table of any length: only rows in sight are drawn, and of those only what changed. */
export function DataTable<Row extends object>({
  label,
  rows,
  columns,
  keyOf,
  maxHeight = '60vh',
  sort: first,
  onScrolled,
}: {
  readonly label: string;
  readonly rows: readonly Row[];
  readonly columns: readonly Column<Row>[];
  readonly keyOf: (row: Row) => string;
  readonly maxHeight?: string;
  readonly sort?: Sort;
  /** Whether the beginning is out of sight. */
  readonly onScrolled?: (away: boolean) => void;
}) {
  const box = useRef<HTMLDivElement>(null);
  const [sort, setSort] = useState<Sort | undefined>(first);
  const sorted = useMemo(() => sortedBy(rows, columns, sort), [rows, columns, sort]);
  const virtual = useVirtualizer({
    count: sorted.length,
    getScrollElement: () => box.current,
    estimateSize: () => ROW_HEIGHT,
    overscan: 8,
    initialRect: { width: 1_200, height: 600 },
  });
  const grid = columns.map(({ width }) => width).join(' ');
  return (
    <div
      className={styles.box}
      style={{ maxHeight }}
      ref={box}
      tabIndex={0}
      role="region"
      aria-label={label}
      {...(onScrolled && { onScroll: (event) => onScrolled(event.currentTarget.scrollTop > ROW_HEIGHT) })}
    >
      <div role="table" aria-label={label} aria-rowcount={sorted.length + 1} className={styles.table}>
        <div role="rowgroup" className={styles.head}>
          <div role="row" aria-rowindex={1} className={styles.row} style={{ gridTemplateColumns: grid }}>
            {columns.map((column, index) => (
              <Head
                key={column.name}
                column={column}
                sort={sort?.column === index ? sort : undefined}
                onSort={() => setSort({ column: index, descending: sort?.column === index && !sort.descending })}
              />
            ))}
          </div>
        </div>
        <div role="rowgroup" className={styles.body} style={{ height: virtual.getTotalSize() }}>
          {virtual.getVirtualItems().map(({ index, start }) => {
            const row = sorted[index];
            return (
              row !== undefined && (
                <Line key={keyOf(row)} row={row} columns={columns} grid={grid} index={index + 2} top={start} />
              )
            );
          })}
        </div>
      </div>
    </div>
  );
}

function Head<Row>({
  column,
  sort,
  onSort,
}: {
  readonly column: Column<Row>;
  readonly sort: Sort | undefined;
  readonly onSort: () => void;
}) {
  const direction = sort === undefined ? 'none' : sort.descending ? 'descending' : 'ascending';
  return (
    <div role="columnheader" aria-sort={direction} className={styles.cell} data-align={column.align}>
      {column.order === undefined ? (
        column.name
      ) : (
        <UnstyledButton className={styles.sort} onClick={onSort}>
          {column.name}
          <span aria-hidden="true" className={styles.arrow}>
            {sort === undefined ? '' : sort.descending ? '↓' : '↑'}
          </span>
          <VisuallyHidden>, sort by it</VisuallyHidden>
        </UnstyledButton>
      )}
    </div>
  );
}

const Line = memo(LineOf) as typeof LineOf;

function LineOf<Row>({
  row,
  columns,
  grid,
  index,
  top,
}: {
  readonly row: Row;
  readonly columns: readonly Column<Row>[];
  readonly grid: string;
  readonly index: number;
  readonly top: number;
}) {
  return (
    <div
      role="row"
      aria-rowindex={index}
      className={styles.row}
      style={{ gridTemplateColumns: grid, transform: `translateY(${top}px)` }}
      data-line="true"
    >
      {columns.map((column) => (
        <div role="cell" key={column.name} className={styles.cell} data-align={column.align}>
          {column.cell(row)}
        </div>
      ))}
    </div>
  );
}

function sortedBy<Row>(rows: readonly Row[], columns: readonly Column<Row>[], sort: Sort | undefined): readonly Row[] {
  const order = sort && columns[sort.column]?.order;
  if (!sort || !order) return rows;
  const sign = sort.descending ? -1 : 1;
  const keyed = rows.map((row) => ({ row, by: order(row) }));
  keyed.sort((a, b) => sign * (a.by < b.by ? -1 : a.by > b.by ? 1 : 0));
  return keyed.map(({ row }) => row);
}
