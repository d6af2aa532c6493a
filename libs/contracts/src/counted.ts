/** `1 replica`, `2 replicas`: how many of a thing, in words. */
export const counted = (count: number, thing: string): string => `${count} ${thing}${count === 1 ? '' : 's'}`;

/** `1 replica serves`, `2 replicas serve`. */
export const serves = (count: number): string => `${counted(count, 'replica')} ${count === 1 ? 'serves' : 'serve'}`;

/** `0 of 1 replica serves`, `1 of 2 replicas serve`. */
export const servesOf = (serving: number, wanted: number): string => `${serving} of ${serves(wanted)}`;
