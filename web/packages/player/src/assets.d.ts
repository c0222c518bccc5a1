/** The light build has no types of its own; what it has in common with the whole one are the same. */
declare module 'hls.js/light' {
  export { default } from 'hls.js';
}
