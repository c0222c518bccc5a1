/** Build of the staff portal: served from /, installable, no inline scripts. */
import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { VitePWA } from 'vite-plugin-pwa';
import { pdfFiles } from '../tools/pdf-files.ts';
import { preloadRoutes } from '../tools/preload-routes.ts';
import { neverPagePatterns } from './src/shared/lib/never-pages.ts';

const server = 'http://127.0.0.1:8080';

/** What the sign-in and the home screen draw with, and all icons that several screens share: small, and asked for often. */
const firstInterface =
  /@tabler|@tanstack|get-style-object|noop|@mantine[\\/](hooks|core[\\/]esm[\\/](core|components[\\/](ActionIcon|Anchor|Avatar|Button|Divider|Group|Input|InputBase|Portal|SimpleGrid|Skeleton|Stack|Text|TextInput|Title))[\\/])/;
/** What menus and lists of choices stand on. */
const overlays =
  /@floating-ui|@mantine[\\/]core[\\/]esm[\\/]components[\\/](Checkbox[\\/]CheckIcon|Floating|FocusTrap|Menu|Popover)/;
/** Our own parts of the same screens. */
const firstParts =
  /app[\\/]shell[\\/](shell-skeleton|menu-with|app-worker)|features[\\/]session[\\/](api|model|texts|popup|use-)|shared[\\/](api|lib)|shared[\\/]ui[\\/](page|stat|state|surface|task-page|thumbnail|waiting-button)/;
/** What the loaders start, whatever the screen. */
const queries =
  /features[\\/]\w+[\\/](api[\\/]\w+-queries|model|texts|memberships|roles|selection|current-org)|route-policies/;

/** Around every screen of a person who is signed in. */
const frame = ['src/app/shell/shell.tsx', 'src/app/loaders.ts'];

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
    preloadRoutes({
      script: 'scheme.js',
      session: 'vitrine.session',
      screens: [
        {
          signedIn: true,
          path: /^\/(org\/[^/]+\/home)?$/,
          modules: [...frame, 'src/app/org-layout.tsx', 'src/features/analytics/pages/home-page.tsx'],
        },
        { signedIn: true, path: /^\/org\//, modules: [...frame, 'src/app/org-layout.tsx'] },
        { signedIn: true, path: /^\/(user-profile|settings|billing)$/, modules: frame },
        {
          signedIn: false,
          path: /^\/(?!sign-up|forgot-password|reset-password|authenticate)/,
          modules: ['src/features/session/pages/login-page.tsx'],
        },
      ],
    }),
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
    rolldownOptions: {
      output: {
        // Many screens share many small modules; without groups each combination of screens makes a file of its own.
        codeSplitting: {
          groups: [
            { name: 'base', test: /node_modules/, tags: ['$initial'], priority: 5 },
            { name: 'index', tags: ['$initial'], priority: 4 },
            { name: 'ui', test: firstInterface, minShareCount: 2, priority: 3 },
            { name: 'floating', test: overlays, minShareCount: 2, priority: 3 },
            { name: 'shared', test: firstParts, minShareCount: 2, priority: 2 },
            { name: 'data', test: queries, minShareCount: 2, priority: 1 },
          ],
        },
      },
    },
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
