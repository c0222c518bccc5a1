/** The light build ships no types; the full build's types apply. */
declare module 'hls.js/light' {
  export { default } from 'hls.js';
}
