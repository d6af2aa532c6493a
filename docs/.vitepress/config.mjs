import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { defineConfig } from 'vitepress';

const docs = path.resolve(import.meta.dirname, '..');

/**
 * Pages of a folder by their headings, in the order of their file names.
 * @param {string} folder
 */
function pages(folder) {
  return readdirSync(path.join(docs, folder))
    .filter((file) => file.endsWith('.md'))
    .map((file) => {
      const heading = /^# (.+)$/m.exec(readFileSync(path.join(docs, folder, file), 'utf8'));
      return { text: heading?.[1] ?? file, link: `/${folder}/${file.replace(/\.md$/, '')}` };
    });
}

export default defineConfig({
  title: 'Davit',
  description: 'An event-sourced control plane for LLM inference replicas',
  cleanUrls: true,
  // Pages are plain Markdown: what looks like an element in them is text.
  markdown: { html: false },
  // What is no page: sources and data that pages point to.
  ignoreDeadLinks: [/\.(?:json|ya?ml|ts|py|sh)$/, /(?:^|\/)(?:deploy|libs|apps|test|scripts|examples)\//],
  themeConfig: {
    search: { provider: 'local' },
    sidebar: [
      {
        text: 'Begin',
        items: [
          { text: 'What it is', link: '/' },
          { text: 'The first ten minutes', link: '/tutorial' },
        ],
      },
      { text: 'How to', items: pages('how-to') },
      { text: 'Explained', items: pages('explanation') },
      { text: 'Reference', items: pages('reference') },
      { text: 'Decisions', collapsed: true, items: pages('adr') },
    ],
  },
});
