import { z } from 'zod';

/** Building blocks for configuration: text in, values out, the remedy as the error text. */

const whole = (text: string): number | undefined => (/^\d{1,15}$/.test(text) ? Number(text) : undefined);

export function wholeNumber(minimum: number, maximum: number) {
  const error = `Set a whole number from ${minimum} to ${maximum}.`;
  return z.string({ error }).transform((text, context) => {
    const value = whole(text);
    if (value !== undefined && value >= minimum && value <= maximum) return value;
    context.addIssue({ code: 'custom', message: `is not usable. ${error}` });
    return z.NEVER;
  });
}

/** A share such as `0.25`. */
export function shareVariable(minimum: number, maximum: number) {
  const error = `Set a share from ${minimum} to ${maximum}, for example "0.25".`;
  return z.string({ error }).transform((text, context) => {
    const value = /^\d(\.\d{1,6})?$/.test(text) ? Number(text) : NaN;
    if (value >= minimum && value <= maximum) return value;
    context.addIssue({ code: 'custom', message: `is not usable. ${error}` });
    return z.NEVER;
  });
}

const UNITS = [
  ['h', 3_600_000],
  ['m', 60_000],
  ['s', 1_000],
  ['ms', 1],
] as const;

/** A duration as its variable takes it. */
function written(ms: number): string {
  const [name, unit] = UNITS.find(([, size]) => ms >= size && ms % size === 0) ?? ['ms', 1];
  return `${ms / unit}${name}`;
}

/** Milliseconds from a number with a unit: `500ms`, `15s`, `2m`. */
export function durationVariable(minimumMs: number, maximumMs: number) {
  const error = `Set a duration such as "15s", from ${written(minimumMs)} to ${written(maximumMs)}.`;
  return z.string({ error }).transform((text, context) => {
    const match = /^(\d{1,9})(ms|s|m|h)$/.exec(text);
    const unit = UNITS.find(([name]) => name === match?.[2])?.[1] ?? NaN;
    const value = Number(match?.[1]) * unit;
    if (value >= minimumMs && value <= maximumMs) return value;
    context.addIssue({ code: 'custom', message: `is not usable. ${error}` });
    return z.NEVER;
  });
}

/** Names of hosts, parted by commas. */
export function hostNames() {
  const error = 'Set names of hosts parted by commas, for example "billing.internal,hooks".';
  return z.string({ error }).transform((text, context) => {
    const hosts = text
      .split(',')
      .map((host) => host.trim())
      .filter((host) => host !== '');
    if (hosts.every((host) => /^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/.test(host))) return hosts;
    context.addIssue({ code: 'custom', message: `is not usable. ${error}` });
    return z.NEVER;
  });
}

export function address(protocols: readonly string[], example: string) {
  const error = `Set an address, for example "${example}".`;
  return z.string({ error }).refine((text) => text.split(',').every((part) => hasProtocol(part.trim(), protocols)), {
    error: `is not usable. ${error}`,
  });
}

/** One address, without a user or password: they belong into a header, which no log shows. */
export function traceEndpoint() {
  const error =
    'Set one address without user and password, for example "http://127.0.0.1:4318"; a key belongs into OTEL_EXPORTER_OTLP_HEADERS.';
  const usable = (text: string): boolean => hasProtocol(text, ['http:', 'https:']) && !text.includes('@');
  return z.string({ error }).refine(usable, { error: `is not usable. ${error}` });
}

const hasProtocol = (text: string, protocols: readonly string[]): boolean =>
  URL.canParse(text) && protocols.includes(new URL(text).protocol);

export function flag() {
  return z.enum(['on', 'off']).transform((text) => text === 'on');
}
