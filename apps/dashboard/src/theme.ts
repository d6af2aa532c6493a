import { type MantineColorsTuple, createTheme } from '@mantine/core';

const water: MantineColorsTuple = [
  '#e6f6f9',
  '#cfe9ee',
  '#9fd3dd',
  '#6cbccb',
  '#44a9bb',
  '#2a9cb1',
  '#17879c',
  '#0b7285',
  '#08616f',
  '#044e5a',
];

/** Surfaces, lines and texts of the dark scheme, the same as in page.css. */
const dark: MantineColorsTuple = [
  '#dde6ea',
  '#b7c5cc',
  '#97a8b2',
  '#5c6c76',
  '#2b373e',
  '#222c32',
  '#1b242a',
  '#171f24',
  '#10161a',
  '#0b1013',
];

export const theme = createTheme({
  colors: { water, dark },
  primaryColor: 'water',
  primaryShade: 7,
  fontFamily: 'system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif',
  fontFamilyMonospace: 'ui-monospace, SFMono-Regular, Menlo, Consolas, "Liberation Mono", monospace',
  defaultRadius: 'sm',
  respectReducedMotion: true,
  cursorType: 'pointer',
  fontSizes: { xs: '12px', sm: '13px', md: '14px', lg: '16px', xl: '20px' },
});
