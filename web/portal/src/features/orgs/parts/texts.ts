/** Texts of the settings form, apart from those that every screen loads. */
export const settingsTexts = {
  contact: 'Contact',
  unsaved: 'Unsaved changes',
  changedAgain: 'Someone else changed these settings again.',
  changedHint:
    'Your changes are not saved yet. Save anyway to keep your edits and their other changes, or reload to discard yours.',
  joinUrlFile: 'vitrine-join',
  replaceLink: 'Replace link',
  replaceQuestion:
    'Create a new joining link? The current link and its QR code will stop working. People who already joined keep their access.',
  showPreviews: 'Preview',
  joiningPage: 'Joining page',
  homeScreen: 'Home screen',
  previews: 'Preview of the app',
  playlistsFailed: 'Your playlists could not be loaded.',
  pickColour: 'Pick a color from the screen',
  wallpaperHint: '2:3 recommended',
  logoHint: '1:1 recommended',
  joinLinkHint: 'Anyone with this link can join and watch.',
  joinLinkNeedsPublic: 'Only public organizations have a joining link. Set privacy to Public and save.',
  timeZone: 'Time zone',
  timeZoneHint: 'Days and hours in your reports begin and end in this zone.',
  noTimeZone: 'No time zone found',
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

/** Texts about deleting organisations. */
export const deletionTexts = {
  deleteOrganisation: 'Delete organization',
  chooseOrganisation: 'Organization',
  lead: (name: string) =>
    `${name} closes for everyone at once: no one can open it or watch, its invitations and joining link stop working, and unfinished uploads are canceled.`,
  until: (date: string) =>
    `You can restore it until ${date}. After that, its content, people and statistics are deleted for good.`,
  confirm: (name: string) => `Type ${name} to confirm`,
  differs: 'This is not the name of the organization.',
  cancelPlan: 'Also cancel the plan',
  cancelHint:
    'It ends with the period you have paid for. Otherwise it continues, and you can use it for another organization.',
  deleted: 'Organization deleted',
  restored: 'Organization restored',
  deletedOrganisations: 'Deleted organizations',
  removedOn: (date: string) => `Deleted for good on ${date}`,
  restore: 'Restore',
  restoreNamed: (name: string) => `Restore ${name}`,
  noPlan: (name: string) =>
    `${name} needs a plan, and all plans of its billing account are in use. To free a plan, delete the organization that uses it. You can also buy a plan, and then delete the new organization that comes with it.`,
  buyPlan: 'View plans',
} as const;
