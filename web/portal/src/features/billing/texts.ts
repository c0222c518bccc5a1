/** Words of the billing screens, as the specification gives them. */
export const billingTexts = {
  nickNameRequired: 'Nick name is required',
  billingNameRequired: 'Billing name is required',
  billingEmailRequired: 'Billing email is required.',
  billingPhoneRequired: 'Billing phone is required',
  /** On /billing/{accountId} without a plan (C-27). */
  selectThePlan: 'Please select the plan to proceed!',
  /** On /select-billing-account without a plan (C-27). */
  selectAPlan: 'Please select a plan to proceed!',
  redirected: 'You will be redirected automatically',
  paymentFailed: (plan: string) => `Payment Failed for ${plan}`,
  paymentError: 'There were some error in the payment. Please check with your partner bank.',
  retryPayment: 'Retry Payment',
  noAccounts: "You don't have any billing account!",
  addAccount: 'Add a new billing account',
  continue: 'Continue',
} as const;
