/** Build of the staff portal: served from /, installable, no inline scripts. */
import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { VitePWA } from 'vite-plugin-pwa';
import { firstScreens } from '../tools/first-screens.ts';
import { pdfFiles } from '../tools/pdf-files.ts';
import { neverPagePatterns } from './src/shared/lib/never-pages.ts';

const server = 'http://127.0.0.1:8080';

/** Modules that only screens behind the sign-in share: icons, parts of the shell, and the queries of the loaders. */
const framed =
  /@tabler|@mantine[\\/](hooks[\\/]esm[\\/]use-(long-press|debounced|focus-trap|focus-return|local-storage)|core[\\/]esm[\\/](core[\\/]utils[\\/](create-scoped|find-element)|components[\\/](ActionIcon|Avatar|SimpleGrid|Skeleton|ThemeIcon)[\\/]))|app[\\/]shell[\\/](shell-skeleton|menu-with)|shared[\\/]ui[\\/](page|stat|state|surface|thumbnail)|features[\\/](?!billing|settings|audit|analytics|leads)\w+[\\/](api[\\/](?!deletion|preview)\w+-queries|(?<!members[\\/])model|memberships|roles|selection|current-org|sign-out)|shared[\\/]lib[\\/](format|locale|own-escape)|app[\\/](route-policies|may-open)/;
/** Modules that menus and selects depend on. */
const overlays =
  /@floating-ui|@mantine[\\/]core[\\/]esm[\\/]components[\\/](Checkbox[\\/]CheckIcon|FocusTrap|Menu[\\/]|Popover)/;
/** Modules that the screens of numbers and the later part of Home share. */
const numbers =
  /features[\\/]analytics[\\/](api|change|ranges|subject|time-zone|parts[\\/](spark|texts|trend-tile))|features[\\/]leads[\\/](model|texts)|features[\\/]billing[\\/]api[\\/](account|billing)-queries|shared[\\/]ui[\\/]when|@mantine[\\/]core[\\/]esm[\\/]components[\\/]Badge/;
/** Modules that only the screens of numbers share. */
const reports = /features[\\/]analytics[\\/](model|texts)/;
/** Libraries that every screen renders with, including the sign-in, and the icons of the sign-in. */
const firstInterface =
  /@tabler[\\/]icons-react[\\/]dist[\\/]esm[\\/](create|default|icons[\\/]Icon(Brand(Apple|Google)|ChevronRight|CircleCheck|X\.))|@tanstack|get-style-object|noop|@mantine[\\/](hooks[\\/]esm[\\/](?!use-(long-press|debounced|focus-trap|focus-return|local-storage))|core[\\/]esm[\\/](core[\\/](?!utils[\\/](create-scoped|find-element))|components[\\/](Anchor|Button|Divider|Group|Input|InputBase|Portal|Stack|Text|TextInput|Title)[\\/]))/;
/** Modules of the portal that every screen uses. */
const firstParts =
  /features[\\/]session[\\/](api|model|texts|popup|use-)|shared[\\/](api|lib[\\/](?!country|download|format|locale|own-escape))|shared[\\/]ui[\\/](task-page|waiting-button)/;

/** Modules of every screen behind the sign-in. */
const frame = ['src/app/shell/shell.tsx', 'src/app/loaders.ts'];
/** The files that every first screen needs. Home is painted a quarter of a second earlier if they are compiled at once. */
const atStart = new Set(['base', 'ui', 'shared', 'framed']);
/** What every screen behind the sign-in reads. */
const framedQueries = ['/v1/profiles/roles/detailed', '/v1/profiles'];

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
    pdfFiles({ emit: true }),
    firstScreens({
      script: 'scheme.js',
      session: 'vitrine.session',
      placeholders: '/src/app/placeholders.tsx',
      collapsed: 'vitrine.sidebarCollapsed',
      screens: [
        {
          signedIn: true,
          path: /^\/org\/([\w-]+)\/home\/?$/,
          modules: [...frame, 'src/app/org-layout.tsx', 'src/features/home/pages/home-page.tsx'],
          queries: [...framedQueries, '/v1/organizations/$1/dashboard'],
          placeholder: 'shell',
        },
        {
          signedIn: true,
          path: /^\/$/,
          modules: [...frame, 'src/app/org-layout.tsx', 'src/features/home/pages/home-page.tsx'],
          queries: framedQueries,
          placeholder: 'shell',
        },
        {
          signedIn: true,
          path: /^\/org\//,
          modules: [...frame, 'src/app/org-layout.tsx'],
          queries: framedQueries,
          placeholder: 'shell',
        },
        {
          signedIn: true,
          path: /^\/(user-profile|settings|billing)\/?$/,
          modules: frame,
          queries: framedQueries,
          placeholder: 'shell',
        },
        {
          signedIn: false,
          path: /^\/sign-up\/?$/,
          modules: ['src/features/session/pages/sign-up-page.tsx'],
          placeholder: 'signUp',
        },
        {
          signedIn: false,
          path: /^\/(?!forgot-password|reset-password|authenticate)/,
          modules: ['src/features/session/pages/login-page.tsx'],
          placeholder: 'login',
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
        // Players and number metadata are large and loaded by few screens; charts are of no use without the server.
        globIgnores: ['**/bar-chart*', '**/media-surface*', '**/hls*', '**/browser-*', '**/calling-code*', '**/pdf*'],
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
        // The first script lists the names of all files: of a hash, seven characters distinguish versions as well as eight.
        entryFileNames: 'assets/[name]-[hash:7].js',
        chunkFileNames: 'assets/[name]-[hash:7].js',
        assetFileNames: 'assets/[name]-[hash:7][extname]',
        // Chromium compiles these files while they arrive, instead of each function at its first call.
        postBanner: ({ name }) => (atStart.has(name) ? '//# allFunctionsCalledOnLoad' : ''),
        // Screens share many small modules; without groups, the build emits a file for each combination of screens.
        codeSplitting: {
          groups: [
            { name: 'base', test: /node_modules/, tags: ['$initial'], priority: 5 },
            { name: 'index', tags: ['$initial'], priority: 4 },
            { name: 'ui', test: firstInterface, minShareCount: 2, priority: 3 },
            { name: 'floating', test: overlays, minShareCount: 2, priority: 3 },
            { name: 'shared', test: firstParts, minShareCount: 2, priority: 2 },
            { name: 'framed', test: framed, minShareCount: 2, priority: 1 },
            // Load together after the first paint; each file has headers too.
            { name: 'notices', test: /app[\\/]shell[\\/](notices|app-worker)\./, priority: 2 },
            { name: 'numbers', test: numbers, minShareCount: 2, priority: 0 },
            { name: 'reports', test: reports, minShareCount: 2, priority: 0 },
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
