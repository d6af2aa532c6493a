import type { RecordedEvent } from '@davit/contracts';
import { clockText, exactText } from '../../format/time.js';
import { type Column, DataTable } from '../../parts/table.js';
import { EventLink } from './event-drawer.js';
import { summaryOf } from './summary.js';

const EVENT_COLUMNS: readonly Column<RecordedEvent>[] = [
  { name: 'Position', width: '84px', align: 'end', cell: ({ position }) => <EventLink position={position} /> },
  {
    name: 'Time',
    width: '82px',
    cell: ({ time }) => (
      <time dateTime={time} title={exactText(Date.parse(time))}>
        {clockText(new Date(time))}
      </time>
    ),
  },
  { name: 'Type', width: 'minmax(210px, 0.6fr)', cell: ({ type }) => type.slice('davit.'.length) },
  { name: 'About', width: 'minmax(190px, 0.7fr)', cell: ({ subject }) => <span title={subject}>{subject}</span> },
  {
    name: 'Says',
    width: 'minmax(260px, 1.6fr)',
    cell: (event) => {
      const text = summaryOf(event);
      return <span title={text}>{text}</span>;
    },
  },
];
const keyOf = ({ position }: RecordedEvent): string => String(position);

export function EventTable({
  rows,
  onScrolled,
}: {
  readonly rows: readonly RecordedEvent[];
  readonly onScrolled?: (away: boolean) => void;
}) {
  return (
    <DataTable
      label="Events"
      rows={rows}
      columns={EVENT_COLUMNS}
      keyOf={keyOf}
      maxHeight="calc(100vh - 290px)"
      {...(onScrolled === undefined ? {} : { onScrolled })}
    />
  );
}
