import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

/** Everything in files of its own: the page runs under a policy that allows no inline script and nothing from elsewhere. */
export default defineConfig({
  root: import.meta.dirname,
  plugins: [react()],
  build: {
    outDir: 'dist/page',
    emptyOutDir: true,
    assetsInlineLimit: 0,
    target: 'es2022',
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 1_000,
  },
  server: { proxy: { '/v1': process.env.DAVIT_URL ?? 'http://127.0.0.1:3000' } },
});
