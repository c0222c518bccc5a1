/** Words that several features share, as the specification gives them. */
export const commonTexts = {
  notAvailable: 'N/A',
  invalidEmail: 'Invalid email!',
  invalidUrl: 'URL is invalid.',
  invalidForm: 'Invalid Form',
  titleRequired: 'Title is required',
  confirmation: 'Confirmation',
  pictureSending: 'Waiting for the picture',
  maxCharacters: (max: number) => `Max ${max} characters`,
  fileTooLarge: 'File size too large. Maximum file size should be within 5mb.',
  fileLarge: 'File size exceeds threshold limit. Please upload file within 2mb for better experience.',
  fileTypeUnsupported: 'File type is not supported.',
} as const;
