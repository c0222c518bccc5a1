/** Texts of the details form. */
export const DETAILS = {
  title: 'About you',
  lead: 'This tells the organization who is watching.',
  editTitle: 'Your details',
  firstName: 'First name',
  lastName: 'Last name',
  phoneNumber: 'Phone number',
  company: 'Company',
  jobTitle: 'Job title',
  businessArea: 'Business area',
  submit: 'Continue',
  save: 'Save',
  saved: 'Profile updated successfully',
  required: {
    firstName: 'First name is required ',
    lastName: 'Last name is required ',
    phoneNumber: 'Phone number is required ',
  },
} as const;
