/** What a path below `/v1/` answers with. */
const JSON_TYPES = ['application/json', 'application/problem+json'];

/**
 * Whether a client takes what is answered (RFC 9110, section 12.5.1): a header that is not there takes everything, and a range with
 * weight 0 takes nothing.
 */
export function isAcceptable(accept: string | undefined, types: readonly string[] = JSON_TYPES): boolean {
  if (accept === undefined || accept.trim() === '') return true;
  return accept.split(',').some((part) => {
    const [range = '', ...parameters] = part.split(';').map((text) => text.trim().toLowerCase());
    if (parameters.some((parameter) => /^q=0(?:\.0{0,3})?$/.test(parameter))) return false;
    return types.some((type) => range === '*/*' || range === type || range === `${type.split('/')[0] ?? ''}/*`);
  });
}
