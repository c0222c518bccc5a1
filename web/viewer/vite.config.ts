/** Build of the viewer app: served from /app/, installable with a worker of that scope, no inline scripts. */
import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { VitePWA } from 'vite-plugin-pwa';
import { pdfFiles } from '../tools/pdf-files.ts';
import { preact } from './preact/aliases.ts';

const server = 'http://127.0.0.1:8080';

/** What the first page of a joining link shares with the app. */
const first =
  /packages[\\/](api[\\/]|tokens[\\/]|brand[\\/]src[\\/](colours|contrast|cover|defaults|glimpse|icon|image-sizes|landing|logo)\.)|viewer[\\/]src[\\/](shared[\\/](api|session|language|lib[\\/](scheme|storage|texts|theme-colour|title)|ui[\\/](states|button))|features[\\/](join[\\/](invitation|texts)|organisations[\\/](brand-scope|texts)))/;
/** The rest of what screens share, without the player. */
const shared =
  /viewer[\\/]src[\\/](?!languages)|packages[\\/](brand[\\/]|player[\\/]src[\\/](peaks|wave-cover|item-cover|event|ids))/;

export default defineConfig({
  base: '/app/',
  resolve: {
    alias: [{ find: '~', replacement: fileURLToPath(new URL('./src', import.meta.url)) }, ...preact],
  },
  plugins: [
    react(),
    pdfFiles({ emit: false }),
    VitePWA({
      registerType: 'prompt',
      injectRegister: null,
      scope: '/app/',
      manifest: {
        id: '/app/',
        name: 'Vitrine',
        short_name: 'Vitrine',
        description: 'Playlists of the organizations you have joined.',
        lang: 'en-US',
        start_url: '/app/',
        scope: '/app/',
        display: 'standalone',
        background_color: '#fafafb',
        theme_color: '#fafafb',
        icons: [
          { src: '/app/icon.svg', sizes: 'any', type: 'image/svg+xml', purpose: 'any' },
          { src: '/app/icon-192.png', sizes: '192x192', type: 'image/png', purpose: 'any' },
          { src: '/app/icon-512.png', sizes: '512x512', type: 'image/png', purpose: 'any' },
          { src: '/app/icon-maskable-512.png', sizes: '512x512', type: 'image/png', purpose: 'maskable' },
        ],
      },
      workbox: {
        clientsClaim: false,
        skipWaiting: false,
        cleanupOutdatedCaches: true,
        navigateFallback: '/app/index.html',
        navigateFallbackAllowlist: [/^\/app(\/|$)/],
        globPatterns: [
          'index.html',
          'scheme.js',
          'icon.svg',
          'assets/*.{js,css}',
          'assets/inter-latin-wght-normal-*.woff2',
        ],
        // The player is fetched when something is played.
        globIgnores: ['assets/media-surface-*.js', '**/hls*', '**/pdf*'],
        runtimeCaching: [
          // Logos and thumbnails of what was seen last; their addresses never change their content.
          {
            urlPattern: /\/images\//,
            handler: 'CacheFirst',
            options: { cacheName: 'pictures', expiration: { maxEntries: 80 }, cacheableResponse: { statuses: [200] } },
          },
          // Posters of files: the server decides each time who may see them, as long as it can be asked.
          {
            urlPattern: /\/media\/[^/]+\/poster$/,
            handler: 'NetworkFirst',
            options: { cacheName: 'posters', expiration: { maxEntries: 80 }, cacheableResponse: { statuses: [200] } },
          },
        ],
      },
    }),
  ],
  build: {
    target: 'es2023',
    cssTarget: ['chrome123', 'firefox121', 'safari17.5'],
    manifest: true,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      output: {
        // What changes only with its versions is one file, apart from what changes with every release.
        codeSplitting: {
          groups: [
            // The first page of a joining link needs only this.
            { name: 'react', test: /node_modules[\\/](preact|openapi-fetch)[\\/]/, priority: 4 },
            { name: 'base', test: /node_modules[\\/](@tanstack|use-sync-external-store)[\\/]/, priority: 3 },
            // Small modules that several screens share; each file has about 1 kB of headers.
            { name: 'first', test: first, minShareCount: 2, priority: 2 },
            { name: 'shared', test: shared, minShareCount: 2, priority: 1 },
          ],
        },
      },
    },
  },
  server: {
    host: '127.0.0.1',
    port: 5174,
    proxy: Object.fromEntries(
      ['/v1', '/media', '/images', '/sandbox'].map((path) => [path, { target: server, changeOrigin: true }]),
    ),
  },
});
