import { expect, test } from '@jest/globals';
import { remembering } from './remembering.js';

function counted(): { readonly read: (text: string) => { readonly text: string }; readonly asked: string[] } {
  const asked: string[] = [];
  const read = remembering((text) => {
    asked.push(text);
    return { text };
  });
  return { read, asked };
}

test('a text that was read is not read again, and each text has its own answer', () => {
  const { read, asked } = counted();
  expect(['a', 'b', 'a', 'b', 'c'].map((text) => read(text).text)).toEqual(['a', 'b', 'a', 'b', 'c']);
  expect(asked).toEqual(['a', 'b', 'c']);
});

test('the text that was not asked for longest is forgotten first, so what is kept is bounded', () => {
  const { read, asked } = counted();
  read('often');
  for (let count = 0; count < 100; count++) {
    read(`rare ${count}`);
    read('often');
  }
  read('rare 0');
  expect(asked.filter((text) => text === 'often')).toHaveLength(1);
  expect(asked.filter((text) => text === 'rare 0')).toHaveLength(2);
});
