/** Wire types: the generated schemas under the names the apps use. */
import type { components } from './schema.d.ts';

type Schemas = components['schemas'];

export type ProfileOut = Schemas['ProfileOut'];
export type SessionOut = Schemas['SessionOut'];
export type MembershipOut = Schemas['MembershipOut'];
export type OrganisationOut = Schemas['OrganisationOut'];
export type AccountOut = Schemas['AccountOut'];
export type ProvisionOut = Schemas['ProvisionOut'];
/** A plan that can be bought. */
export type PlanOut = Schemas['PlanOut'];
/** What a plan allows. */
export type LimitsOut = Schemas['LimitsOut'];
export type PriceOut = Schemas['PriceOut'];
export type CheckoutOut = Schemas['CheckoutOut'];
export type UploadOut = Schemas['UploadOut'];
export type ContentOut = Schemas['ContentOut'];
export type PlaylistOut = Schemas['PlaylistOut'];
/** An item and the playlist in which it can be opened. */
export type ShownItemOut = Schemas['ShownItemOut'];
export type SearchOut = Schemas['SearchOut'];
/** How far the person is in an organisation's items. */
export type ProgressOut = Schemas['ProgressOut'];
export type ItemProgressOut = Schemas['ItemProgressOut'];
export type DeletedContentOut = Schemas['DeletedContentOut'];
export type DeletedOrganisationOut = Schemas['DeletedOrganisationOut'];
export type DeletedPlaylistOut = Schemas['DeletedPlaylistOut'];
export type StaffOut = Schemas['StaffOut'];
export type Problem = Schemas['Problem'];
export type ConfigOut = Schemas['ConfigOut'];
/** Colors and wallpaper of an organisation. */
export type ThemeOut = Schemas['ThemeOut'];
/** ContactOut of a playlist or organisation. */
export type ContactOut = Schemas['ContactOut'];
/** The request to change a billing account. */
export type AccountChangeIn = Schemas['AccountChangeIn'];
/** A person who manages a billing account. */
export type ManagerOut = Schemas['ManagerOut'];
/** What an organisation uses of its plan. */
export type UsageOut = Schemas['UsageOut'];
/** An invoice of the payment provider. */
export type InvoiceOut = Schemas['InvoiceOut'];
/** The card that pays for a billing account. */
export type CardOut = Schemas['CardOut'];
/** An organisation whose plan has ended. */
export type EndedOrgOut = Schemas['EndedOrgOut'];
/** The request to create a billing account. */
export type NewAccountIn = Schemas['NewAccountIn'];
export type ContentIn = Schemas['ContentIn'];
export type PlaylistIn = Schemas['PlaylistIn'];
/** A file to be uploaded. */
export type FileIn = Schemas['FileIn'];
/** Changed fields of the profile. */
export type ProfileIn = Schemas['ProfileIn'];
/** Changed fields of an organisation. */
export type OrganisationIn = Schemas['OrganisationIn'];
export type Privacy = Schemas['Privacy'];
export type Role = Schemas['Role'];
export type AccountType = Schemas['AccountType'];
export type PurchaseReason = Schemas['PurchaseReason'];
export type ContentKind = Schemas['ContentKind'];
export type ContentChanges = Schemas['ContentChanges'];

export type Temperature = Schemas['Temperature'];
export type ConsentOut = Schemas['ConsentOut'];
/** A person in an organisation: staff, app user or both. */
export type UserOut = Schemas['UserOut'];
/** An invitation that was neither accepted nor revoked. */
export type OpenInviteOut = Schemas['OpenInviteOut'];
/** An entry of a person's history. */
export type ActivityEntryOut = Schemas['ActivityEntryOut'];
/** A change in an organisation. */
export type AuditEntryOut = Schemas['AuditEntryOut'];
export type AuditAction = Schemas['AuditAction'];
/** What became of one invited address. */
export type InvitedOut = Schemas['InvitedOut'];
export type DashboardOut = Schemas['DashboardOut'];
export type LeadOut = Schemas['LeadOut'];
export type LeadCountsOut = Schemas['LeadCountsOut'];
export type SeriesOut = Schemas['SeriesOut'];
export type UserAnalyticsOut = Schemas['UserAnalyticsOut'];
/** Numbers of an organisation over a range. */
export type OverviewOut = Schemas['OverviewOut'];
export type TopContentOut = Schemas['TopContentOut'];
export type TopPlaylistOut = Schemas['TopPlaylistOut'];
/** Views that counted over a range, and those that did not, by reason. */
export type VerdictsOut = Schemas['VerdictsOut'];
/** Numbers of a content item over a range. */
export type ContentAnalyticsOut = Schemas['ContentAnalyticsOut'];
/** Numbers of a playlist over a range. */
export type PlaylistAnalyticsOut = Schemas['PlaylistAnalyticsOut'];
/** Something that a consenting person did. */
export type RecentActivityOut = Schemas['RecentActivityOut'];
/** A lead with the reasons of its score. */
export type LeadExplanationOut = Schemas['LeadExplanationOut'];
/** New leads of a range, and the hottest ones. */
export type LeadsSummaryOut = Schemas['LeadsSummaryOut'];
/** New people of a range. */
export type UsersSummaryOut = Schemas['UsersSummaryOut'];
/** Which emails a member of staff gets about an organisation. */
export type StaffEmailsOut = Schemas['StaffEmailsOut'];
/** The join page of a joining link. */
export type JoinPageOut = Schemas['JoinPageOut'];
/** A public playlist, as people see it before they join. */
export type GlimpseOut = Schemas['GlimpseOut'];
/** A person's own answers to the consent notice, and its text. */
export type OwnConsentsOut = Schemas['OwnConsentsOut'];
/** An organisation the caller has joined. */
export type JoinedOrganisationOut = Schemas['JoinedOrganisationOut'];
export type EventIn = Schemas['EventIn'];
/** A person's sign-in methods. */
export type MethodsOut = Schemas['MethodsOut'];
export type OpenSessionOut = Schemas['OpenSessionOut'];

/** A list response. */
export interface List<T> {
  data: T[];
}
