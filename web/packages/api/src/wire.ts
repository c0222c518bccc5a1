/** The shapes that travel: the generated schemas under the names the apps use. */
import type { components } from './schema.d.ts';

type Schemas = components['schemas'];

export type ProfileOut = Schemas['ProfileOut'];
export type SessionOut = Schemas['SessionOut'];
export type MembershipOut = Schemas['MembershipOut'];
export type OrganisationOut = Schemas['OrganisationOut'];
export type AccountOut = Schemas['AccountOut'];
export type ProvisionOut = Schemas['ProvisionOut'];
export type CheckoutOut = Schemas['CheckoutOut'];
export type UploadOut = Schemas['UploadOut'];
export type ContentOut = Schemas['ContentOut'];
export type PlaylistOut = Schemas['PlaylistOut'];
export type StaffOut = Schemas['StaffOut'];
export type Problem = Schemas['Problem'];
export type ConfigOut = Schemas['ConfigOut'];
/** Colours and wallpaper of an organisation. */
export type Theme = Schemas['ThemeOut'];
/** Whom to ask. */
export type Contact = Schemas['ContactOut'];
/** What creating a billing account sends. */
export type AccountIn = Schemas['NewAccountIn'];
export type ContentIn = Schemas['ContentIn'];
export type PlaylistIn = Schemas['PlaylistIn'];
/** A file that will be sent. */
export type FileDescription = Schemas['FileIn'];
/** Fields of the own profile that change. */
export type ProfilePatch = Schemas['ProfileIn'];
/** Fields of an organisation that change. */
export type OrganisationPatch = Schemas['OrganisationIn'];
export type Privacy = Schemas['Privacy'];
export type Role = Schemas['Role'];
export type AccountType = Schemas['AccountType'];
export type ContentKind = Schemas['ContentKind'];
export type PlaylistPatch = Schemas['PlaylistIn'];
export type ContentChanges = Schemas['ContentChanges'];

export type ContentPrivacy = 'public' | 'private';
export type PlanId = 'essentials-monthly' | 'essentials-annual' | 'professional-monthly' | 'professional-annual';
export type Temperature = 'cold' | 'warm' | 'hot';

/** Every list answer. */
export interface List<T> {
  data: T[];
}

export interface ConsentOut {
  uid: string;
  orgId: string;
  consent: boolean;
  timeCreated: string;
  userId: string;
  user: ProfileOut | null;
  noticeVersion: string;
  method: string;
}

export interface PersonOut {
  userId: string;
  role: Role;
  user: ProfileOut;
  timeJoined: string | null;
  consent: boolean | null;
  timeConsent: string | null;
}

export interface DashboardOut {
  totalStats: { views: number; watchTimeMs: number };
  popularContent: { id: string; title: string; previewUrl: string; views: number }[];
  playlists: { id: string; viewCount: number; watchTimeMs: number }[];
  content: { id: string; viewCount: number; watchTimeMs: number }[];
}

export interface LeadOut {
  userId: string;
  orgId: string;
  score: number;
  temperature: Temperature;
  lastModified: string;
}

export interface LeadCounts {
  total: number;
  hot: number;
  warm: number;
  cold: number;
}

export interface SeriesOut {
  total: number;
  data: { time: string; value: number }[];
}

export interface UserAnalyticsOut {
  total: number;
  mostViewedContent: { id: string; viewCount: number }[];
  longestWatchedContent: { id: string; watchTimeMs: number }[];
  mostViewedPlaylists: { id: string; viewCount: number }[];
  longestWatchedPlaylists: { id: string; watchTimeMs: number }[];
}

export interface JoinOut {
  organisation: { uid: string; name: string; description: string; logoUrl: string; theme: Theme };
  notice: { version: string; text: string };
}

export interface ViewerOrganisationOut {
  uid: string;
  name: string;
  description: string;
  logoUrl: string;
  theme: Theme;
  pinnedPlaylists: string[];
  defaultPlaylist: string | null;
  role: Role;
  consent: boolean | null;
}

export interface InviteOut {
  userEmail: string;
  status: 'pending' | 'active';
  orgId: string;
}

export interface BeatIn {
  kind: 'beat';
  id: string;
  viewId: string;
  seq: number;
  contentId: string;
  playlistId?: string;
  from: number;
  to: number;
  rate: number;
  state: 'playing' | 'paused' | 'seeking' | 'ended' | 'hidden';
  time: string;
}

export interface TouchIn {
  kind: 'visit' | 'download' | 'contact';
  id: string;
  contentId?: string;
  playlistId?: string;
  time: string;
}

export type EventIn = BeatIn | TouchIn;
