/** Strings first, so that digits inside them are left alone. */
const STRING_OR_NUMBER = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

/**
 * Reads JSON with every number as the text it was written in, so that money never passes through a float (law 14).
 * @throws SyntaxError for text that is not JSON
 */
export function parseDecimalJson(text: string): unknown {
  JSON.parse(text);
  return JSON.parse(text.replace(STRING_OR_NUMBER, (token) => (token.startsWith('"') ? token : `"${token}"`)));
}

/** Longer exponents are no price of anything. */
const MAX_EXPONENT = 30;

/** A non-negative number as plain decimal text, `8.6e-1` → `0.86`; null for anything else. */
export function decimalText(number: string): string | null {
  const match = /^(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(number);
  if (!match) return null;
  const [, whole = '', fraction = '', exponentText = '0'] = match;
  const exponent = Number(exponentText);
  if (Math.abs(exponent) > MAX_EXPONENT) return null;
  const digits = `${'0'.repeat(Math.max(0, -exponent))}${whole}${fraction}${'0'.repeat(Math.max(0, exponent - fraction.length))}`;
  const point = digits.length - Math.max(0, fraction.length - exponent);
  const integer = digits.slice(0, point).replace(/^0+(?=\d)/, '');
  const decimals = digits.slice(point);
  return decimals === '' ? integer : `${integer || '0'}.${decimals}`;
}
