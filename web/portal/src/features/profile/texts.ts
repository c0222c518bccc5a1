/** Words of onboarding and the own profile; trailing spaces are part of the specification. */
export const profileTexts = {
  firstNameRequired: 'First name is required ',
  lastNameRequired: 'Last name is required ',
  phoneRequired: 'Phone number is required ',
  companyRequired: 'Company name is required ',
  acceptTerms: 'Accept to our Terms and Conditions before proceeding further.',
  almostThere: 'You are almost there!',
  updated: 'Profile updated successfully',
} as const;
