/** `8.0`, `1.234567e+06`, `+Inf`: as Python's client prints numbers; until its release 0.25.0 it padded long exponents. */
export const pythonNumber =
  (paddedExponents: boolean) =>
  (value: number): string => {
    const special = specialNumber(value);
    if (special !== undefined) return special;
    const plain = Number.isInteger(value) && Math.abs(value) < 1e16 ? `${value}.0` : String(value);
    const dot = plain.indexOf('.');
    if (value <= 0 || dot <= 6 || plain.includes('e')) return plain;
    const mantissa = `${plain.charAt(0)}.${plain.slice(1, dot)}${plain.slice(dot + 1)}`.replace(/[0.]+$/, '');
    const exponent = String(dot - 1);
    return `${mantissa}e+${paddedExponents ? `0${exponent}` : exponent.padStart(2, '0')}`;
  };

/** `8`, `0.0625`: as the two Rust clients print numbers, without exponents. */
export const rustNumber = (value: number): string => specialNumber(value) ?? String(value);

/** `5061`, `3.87`, `1.23457e+06`, `nan`: as C++ streams print numbers, with six digits. */
export function streamNumber(value: number): string {
  if (Number.isNaN(value)) return 'nan';
  if (!Number.isFinite(value)) return value > 0 ? 'inf' : '-inf';
  const [mantissa = '0', exponent = '0'] = value.toExponential(5).split('e');
  const power = Number(exponent);
  if (power >= -4 && power < 6) return String(Number(value.toPrecision(6)));
  return `${Number(mantissa)}e${power < 0 ? '-' : '+'}${String(Math.abs(power)).padStart(2, '0')}`;
}

function specialNumber(value: number): string | undefined {
  if (Number.isNaN(value)) return 'NaN';
  if (Number.isFinite(value)) return undefined;
  return value > 0 ? '+Inf' : '-Inf';
}
