/** Texts of onboarding and the profile. The wording of the first block is fixed, trailing spaces included. */
export const profileTexts = {
  firstNameRequired: 'First name is required ',
  lastNameRequired: 'Last name is required ',
  phoneRequired: 'Phone number is required ',
  companyRequired: 'Company name is required ',
  acceptTerms: 'Accept to our Terms and Conditions before proceeding further.',
  almostThere: 'You are almost there!',
  updated: 'Profile updated successfully',

  companyLead: 'Tell us a little about your work.',
  tellUs: 'Tell us about you',
  tellUsLead: 'This is how colleagues will see you.',
  profile: 'Profile',
  chooseOne: 'Choose one',
  nothingFound: 'No matches',
  firstName: 'First name',
  lastName: 'Last name',
  iAccept: 'I accept the',
  terms: 'Terms and Conditions',
  addCompany: 'Add company details',
  photo: 'Photo',
  photoHint: 'PNG, JPEG, GIF or WebP, up to 5 MB',
} as const;
