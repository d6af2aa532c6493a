/** Told apart by people who do not see all colours (Okabe, Ito 2008, https://jfly.uni-koeln.de/color/). */
export const COLOURS = ['#0072b2', '#d55e00', '#009e73', '#cc79a7', '#e69f00', '#56b4e9'] as const;

/** As many digits as a picture can show. */
export const figure = (value: number): string => String(Number(value.toPrecision(4)));
