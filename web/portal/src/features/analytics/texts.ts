/** Words of Home and Analytics, as the specification gives them. */
export const analyticsTexts = {
  welcome: (name: string) => `Welcome, ${name}!`,
  contentViews: 'Content views',
  watchTime: 'Watch time',
  popular: 'Most popular content',
  reports: 'Reports',
  contentError: 'There was an error loading this content.',
} as const;
