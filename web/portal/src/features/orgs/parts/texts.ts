/** Texts of the settings form, apart from those that every screen loads. */
export const settingsTexts = {
  contact: 'Contact',
  unsaved: 'Unsaved changes',
  joinUrlFile: 'vitrine-join',
  replaceLink: 'Replace link',
  replaceQuestion:
    'Create a new joining link? The current link and its QR code will stop working. People who already joined keep their access.',
  previewStrapline: 'Join to watch all our content',
  previewPinned: 'Pinned',
  previewPlaylists: ['Welcome', 'How it works', 'Customer stories'],
  previewJoin: 'Join',
  joiningPage: 'Joining page',
  homeScreen: 'Home screen',
  previews: 'Preview of the app',
  pickColour: 'Pick a color from the screen',
  wallpaperHint: '2:3 recommended',
  logoHint: '1:1 recommended',
  joinLinkHint: 'Anyone with this link can join and watch.',
  joinLinkNeedsPublic: 'Only public organizations have a joining link. Set privacy to Public and save.',
  straplineHint: 'A line or two below the name',
  websiteExample: 'https://',
  saved: 'Saved',
  about: 'About',
  access: 'Access',
  branding: 'Branding',
  wallpaper: 'Background wallpaper',
  logo: 'Logo',
  strapline: 'Strapline',
  corrections: {
    text: (shown: string) => `The text color is hard to read on this background, so the app shows ${shown}.`,
    light: (shown: string) =>
      `In light mode, the app shows links and small buttons in ${shown}, because the button color is hard to read on white.`,
    dark: (shown: string) =>
      `In dark mode, the app shows links and small buttons in ${shown}, because the button color is hard to read on black.`,
  },
} as const;
