/** Build of the staff portal: served from /, installable, no inline scripts. */
import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { VitePWA } from 'vite-plugin-pwa';
import { pdfFiles } from '../tools/pdf-files.ts';
import { neverPagePatterns } from './src/shared/lib/never-pages.ts';

const server = 'http://127.0.0.1:8080';

export default defineConfig({
  base: '/',
  resolve: {
    alias: [
      { find: '~', replacement: fileURLToPath(new URL('./src', import.meta.url)) },
      { find: /^hls\.js(\/dist\/hls\.mjs)?$/, replacement: 'hls.js/light' },
    ],
  },
  plugins: [
    react(),
    pdfFiles(),
    VitePWA({
      registerType: 'prompt',
      // The shell registers it, looks for newer versions and swaps them (app/shell/app-worker.ts).
      injectRegister: null,
      manifest: {
        name: 'Vitrine',
        short_name: 'Vitrine',
        description: 'Staff portal: content, playlists and the people who watch.',
        start_url: '/',
        scope: '/',
        display: 'standalone',
        background_color: '#fafafb',
        theme_color: '#ca4500',
        icons: [
          { src: '/icon.svg', sizes: 'any', type: 'image/svg+xml', purpose: 'any' },
          { src: '/icon-512.png', sizes: '512x512', type: 'image/png', purpose: 'any' },
        ],
      },
      workbox: {
        clientsClaim: false,
        skipWaiting: false,
        cleanupOutdatedCaches: true,
        navigateFallback: '/index.html',
        navigateFallbackDenylist: neverPagePatterns,
        globPatterns: [
          'index.html',
          'scheme.js',
          'icon.svg',
          'org-default.svg',
          'assets/*.{js,css}',
          'assets/inter-latin-wght-normal*.woff2',
        ],
        // Charts, players and number metadata are large and loaded by few screens.
        globIgnores: [
          '**/minutes-chart*',
          '**/media-surface*',
          '**/hls*',
          '**/browser-*',
          '**/calling-code*',
          '**/pdf*',
        ],
      },
    }),
  ],
  build: {
    target: 'es2023',
    cssTarget: ['chrome123', 'firefox121', 'safari17.5'],
    manifest: true,
    modulePreload: { polyfill: false },
  },
  server: {
    host: '127.0.0.1',
    port: 5173,
    proxy: Object.fromEntries(
      ['/v1', '/media', '/images', '/sandbox', '/pricing', '/openapi.json'].map((path) => [
        path,
        { target: server, changeOrigin: true },
      ]),
    ),
  },
});
