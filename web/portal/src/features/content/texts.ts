/** Words of the content dialogs, as the specification gives them. */
export const contentTexts = {
  addFile: 'Add file',
  addVideo: 'Add video',
  createFailed: 'Problem creating content. Please try again.',
  added: 'Added content.',
  edited: 'Edited content.',
  deleted: 'Deleted content.',
  deleteFailed: 'Failed to delete content. Make sure it has been removed from all playlists.',
  uploadSuccessful: 'Upload successful!',
  deleteContent: 'Delete content',
  preview: 'Preview',
} as const;
