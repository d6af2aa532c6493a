import type { OfferView, OffersAnswer } from '@davit/contracts';
import { Stack, Title } from '@mantine/core';
import { useSearchParams } from 'react-router';
import { moneyText } from '../../format/money.js';
import { machineAmount } from '../../format/placement.js';
import { durationText } from '../../format/time.js';
import { useAnswer } from '../../live/queries.js';
import { Mark } from '../../parts/mark.js';
import { Answered, Empty, Panel } from '../../parts/panel.js';
import { type Column, DataTable } from '../../parts/table.js';
import { Ago } from '../../parts/time.js';
import { OfferHistory } from './history.js';
import { OfferLink } from './offer-link.js';
import { STOCK_TONES } from './stock.js';

const COLUMNS: readonly Column<OfferView>[] = [
  {
    name: 'Offer',
    width: 'minmax(170px, 1fr)',
    order: ({ offer }) => offer,
    cell: ({ offer }) => <OfferLink offer={offer} />,
  },
  {
    name: 'Stock',
    width: '106px',
    order: ({ state }) => Object.keys(STOCK_TONES).indexOf(state),
    cell: ({ state }) => <Mark tone={STOCK_TONES[state]}>{state}</Mark>,
  },
  {
    name: 'Said',
    width: '84px',
    align: 'end',
    cell: ({ signal }) => (signal === null ? '–' : <Ago at={signal.observedAt} />),
  },
  { name: 'By', width: '122px', cell: ({ signal }) => (signal === null ? '–' : `${signal.source}, ${signal.scope}`) },
  { name: 'Price/h', width: '136px', align: 'end', cell: priceOf },
  {
    name: 'Believed',
    width: '64px',
    align: 'end',
    order: ({ confidence }) => confidence,
    cell: ({ confidence }) => percent(confidence),
  },
  {
    name: 'Kept its word',
    width: '96px',
    align: 'end',
    cell: ({ honesty }) => (honesty.share === null ? '–' : `${percent(honesty.share)} of ${honesty.saidAvailable}`),
  },
  {
    name: 'Good / failed / lost',
    width: '124px',
    align: 'end',
    cell: ({ reliability }) =>
      reliability === null ? '–' : `${reliability.good} / ${reliability.failed} / ${reliability.lost}`,
  },
  {
    name: 'Ready in',
    width: '130px',
    align: 'end',
    order: ({ readyTime }) => readyTime?.medianMs ?? Infinity,
    cell: ({ readyTime }) =>
      readyTime === null ? '–' : `${durationText(readyTime.medianMs)}, p95 ${durationText(readyTime.p95Ms)}`,
  },
];

const percent = (share: number): string => `${Math.round(share * 100)} %`;

function priceOf({ prices, placement }: OfferView): string {
  const latest = prices.toSorted((a, b) => (a.price.observedAt < b.price.observedAt ? 1 : -1))[0];
  if (!latest) return '–';
  const { price, stale } = latest;
  return `${moneyText(machineAmount(price, placement), price.currency)} ${price.kind}${stale ? ', stale' : ''}`;
}

const keyOf = ({ offer }: OfferView): string => offer;

/** What is and was known of each offer. */
export default function Capacity() {
  const [parameters] = useSearchParams();
  const offers = useAnswer<OffersAnswer>('/v1/capacity/offers', {}, ['capacity', 'replica']);
  const asked = parameters.get('offer');
  const chosen = offers.data?.items.find(({ offer }) => offer === asked) ?? offers.data?.items[0];
  return (
    <Stack gap="md">
      <Title order={1} size="h3">
        Capacity
      </Title>
      <Panel title="Offers">
        <Answered answer={offers} lines={6}>
          {({ items }) =>
            items.length === 0 ? (
              <Empty title="Nothing was asked of any provider yet">
                Stock and prices are looked up when a replica is to be placed.
              </Empty>
            ) : (
              <DataTable label="Offers" rows={items} columns={COLUMNS} keyOf={keyOf} maxHeight="340px" />
            )
          }
        </Answered>
      </Panel>
      {chosen && <OfferHistory offer={chosen} />}
    </Stack>
  );
}
