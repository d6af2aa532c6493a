import type { ExplainView, ReadinessSignal, StoryCandidate, StoryLine } from '@davit/contracts';
import { duration } from './duration.js';
import { hourlyText } from './prices.js';
import { placementText } from './views.js';
import { proseWidth, wrap } from './wrap.js';

const POSITION = 7;
const TOPIC = 11;
/** Position, time of day and topic, with what lies between them. */
const MARGIN = POSITION + 2 + 12 + 2 + TOPIC + 1;

type Story = Omit<ExplainView, 'next'>;

/** How it came to what is now, a line for each event, in the order of the log; readable at 100 columns. */
export function storyText(story: Story): string {
  const { about, now, predecessors, complete, gaps, lines } = story;
  const short = about.name.replace(/^default\//, '');
  return [
    ...wrap(`${about.kind} ${short}: ${now}`, proseWidth(), 2),
    ...(predecessors.length === 0
      ? []
      : wrap(`lives before: ${predecessors.map(shortOf).join(', ')}`, proseWidth(), 2)),
    '',
    ...dated(lines, about.name),
    '',
    complete
      ? 'The log reaches the intent of the user without a gap.'
      : 'Not every step back to the intent of the user is known:',
    ...gaps.flatMap((gap) => wrap(`- ${gap}`, proseWidth(), 2)),
  ].join('\n');
}

/** The lines, with the day where it changes. */
function dated(lines: readonly StoryLine[], name: string): string[] {
  let day = '';
  return lines.flatMap((line) => {
    const own = lineText(line, name);
    if (line.at.slice(0, 10) === day) return own;
    day = line.at.slice(0, 10);
    return [`${' '.repeat(POSITION + 2)}${day}`, ...own];
  });
}

function lineText(line: StoryLine, name: string): string[] {
  const { position, at, topic, replica, text, candidates, signals, reasons, alternatives } = line;
  const whose = replica === null || replica === name ? '' : `${shortOf(replica)}: `;
  const head = `${String(position).padStart(POSITION)}  ${at.slice(11, 23)}  ${topic.padEnd(TOPIC)} `;
  const parts = [
    `${whose}${text}`,
    ...candidates.map(candidateText),
    ...signals.map(signalText),
    ...reasons.map(({ rule, outcome, detail }) => `· ${rule}: ${outcome}; ${detail}`),
    ...alternatives.map(({ outcome, reason }) => `✗ not ${outcome}: ${reason}`),
  ];
  const told = parts.flatMap((part, index) => wrap(part, proseWidth() - MARGIN, index === 0 ? 0 : 2));
  return told.map((part, index) => `${index === 0 ? head : ' '.repeat(MARGIN)}${part}`.trimEnd());
}

const MARKS: Readonly<Record<StoryCandidate['verdict'], string>> = { chosen: '✓', next: '·', rejected: '✗' };

/** `✓ runpod L40S  available by runpod-v2 (global, 4s old), 0.79 USD quoted: first of the ladder …`. */
function candidateText({
  verdict,
  placement,
  state,
  source,
  scope,
  ageMs,
  confidence,
  price,
  priceRecorded,
  reason,
}: StoryCandidate): string {
  const sure = confidence === null ? '' : `, confidence ${confidence}`;
  const stock =
    ageMs === null ? 'nothing heard of stock' : `${state} by ${source} (${scope}, ${duration(ageMs)} old${sure})`;
  const cost = price ? `, ${hourlyText(price, placement)}` : priceRecorded ? ', price unknown' : '';
  return `${MARKS[verdict]} ${placementText(placement)}  ${stock}${cost}: ${reason}`;
}

/** `· health at 12:00:03.120: /health answered 200 in 3 ms`. */
const signalText = ({ source, observedAt, said }: ReadinessSignal): string =>
  `· ${source} at ${observedAt.slice(11, 23)}: ${said}`;

const shortOf = (id: string): string => id.slice(id.indexOf('/') + 1);
