/** Texts of the figures and activities that Home shows too, apart from those that only the reports load. */

/** How figures changed. */
export const changeTexts = {
  times: (factor: string, period: string) => `${factor} times ${period}`,
  more: (share: string, period: string) => `${share} more than in ${period}`,
  less: (share: string, period: string) => `${share} less than in ${period}`,
  same: (period: string) => `The same as in ${period}`,
  fromNone: (period: string) => `None in ${period}`,
  limited: (period: string) => `Your plan does not show all of ${period}`,
} as const;

/** What an activity was about. */
export const subjectTexts = {
  deletedContent: 'deleted content',
  deletedPlaylist: 'a deleted playlist',
} as const;
