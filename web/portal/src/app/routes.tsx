/** Every route of the portal. Screens are loaded lazily; guards run before them. */
import type { QueryClient } from '@tanstack/react-query';
import { createRootRouteWithContext, createRoute, lazyRouteComponent, Outlet } from '@tanstack/react-router';
import { reportSearchOf } from '~/features/analytics/search.ts';
import { leadSearchOf } from '~/features/leads/search.ts';
import { contentSearchOf, playlistSearchOf } from '~/features/playlists/search.ts';
import { landing, publicOnly, signedInOnly } from './guards.ts';
import { routePolicies } from './route-policies.ts';
import { NotFoundPage } from './shell/not-found-page.tsx';
import { starts, startsAccount, startsReport } from './starts.ts';

const root = createRootRouteWithContext<{ queryClient: QueryClient }>()({ component: Outlet });

const text = (value: unknown): string => (typeof value === 'string' || typeof value === 'number' ? String(value) : '');

// Sign-in screens, closed to people who are already signed in.
const publicArea = createRoute({ getParentRoute: () => root, id: 'public', beforeLoad: publicOnly });
const login = createRoute({
  getParentRoute: () => publicArea,
  path: '/login',
  component: lazyRouteComponent(() => import('~/features/session/pages/login-page.tsx'), 'LoginPage'),
});
const signUp = createRoute({
  getParentRoute: () => publicArea,
  path: '/sign-up',
  component: lazyRouteComponent(() => import('~/features/session/pages/sign-up-page.tsx'), 'SignUpPage'),
});
const forgotPassword = createRoute({
  getParentRoute: () => publicArea,
  path: '/forgot-password',
  component: lazyRouteComponent(
    () => import('~/features/session/pages/forgot-password-page.tsx'),
    'ForgotPasswordPage',
  ),
});

// Landing pages of emailed links sign people in, so the public-only guard does not apply to them.
const authenticate = createRoute({
  getParentRoute: () => root,
  path: '/authenticate',
  validateSearch: (search) => ({ action: text(search.action), code: text(search.code) }),
  beforeLoad: ({ search }) => landing(search.code),
  component: lazyRouteComponent(() => import('~/features/session/pages/authenticate-page.tsx'), 'AuthenticatePage'),
});
const resetPassword = createRoute({
  getParentRoute: () => root,
  path: '/reset-password',
  validateSearch: (search) => ({ code: text(search.code) }),
  component: lazyRouteComponent(() => import('~/features/session/pages/reset-password-page.tsx'), 'ResetPasswordPage'),
});

const privateArea = createRoute({ getParentRoute: () => root, id: 'private', beforeLoad: signedInOnly });
const verifyEmail = createRoute({
  getParentRoute: () => privateArea,
  path: '/verify-email',
  validateSearch: (search) => ({ code: text(search.code) }),
  component: lazyRouteComponent(() => import('~/features/session/pages/verify-email-page.tsx'), 'VerifyEmailPage'),
});
const userDetails = createRoute({
  getParentRoute: () => privateArea,
  path: '/on-boarding/details/user',
  loader: starts('userDetails'),
  component: lazyRouteComponent(() => import('~/features/profile/pages/user-details-page.tsx'), 'UserDetailsPage'),
});
const companyDetails = createRoute({
  getParentRoute: () => privateArea,
  path: '/on-boarding/details/company',
  loader: starts('profile'),
  component: lazyRouteComponent(
    () => import('~/features/profile/pages/company-details-page.tsx'),
    'CompanyDetailsPage',
  ),
});
const noPlan = createRoute({
  getParentRoute: () => privateArea,
  path: '/no-plan',
  loader: startsAccount('noPlan'),
  component: lazyRouteComponent(() => import('~/features/billing/pages/no-plan-page.tsx'), 'NoPlanPage'),
});
const invite = createRoute({
  getParentRoute: () => privateArea,
  path: '/invite',
  validateSearch: (search) => ({ code: text(search.code) }),
  loader: starts('profile'),
  component: lazyRouteComponent(() => import('~/features/members/pages/invite-page.tsx'), 'InvitePage'),
});
const accountType = createRoute({
  getParentRoute: () => privateArea,
  path: '/account-type',
  component: lazyRouteComponent(() => import('~/features/billing/pages/account-type-page.tsx'), 'AccountTypePage'),
});
const createAccount = createRoute({
  getParentRoute: () => privateArea,
  path: '/create-billing-account',
  validateSearch: (search) => ({ type: text(search.type) }),
  loader: startsAccount('createAccount'),
  component: lazyRouteComponent(() => import('~/features/billing/pages/create-account-page.tsx'), 'CreateAccountPage'),
});
const selectAccount = createRoute({
  getParentRoute: () => privateArea,
  path: '/select-billing-account',
  validateSearch: (search): { planId?: string } => (search.planId === undefined ? {} : { planId: text(search.planId) }),
  loader: startsAccount('accounts'),
  component: lazyRouteComponent(() => import('~/features/billing/pages/select-account-page.tsx'), 'SelectAccountPage'),
});
const paymentSuccess = createRoute({
  getParentRoute: () => privateArea,
  path: '/billing/success',
  validateSearch: (search) => ({ provision_id: text(search.provision_id) }),
  loaderDeps: ({ search }) => search,
  loader: startsAccount('paymentSuccess'),
  component: lazyRouteComponent(
    () => import('~/features/billing/pages/payment-success-page.tsx'),
    'PaymentSuccessPage',
  ),
});
const paymentCancelled = createRoute({
  getParentRoute: () => privateArea,
  path: '/billing/cancelled',
  loader: startsAccount('plans'),
  component: lazyRouteComponent(
    () => import('~/features/billing/pages/payment-cancelled-page.tsx'),
    'PaymentCancelledPage',
  ),
});
const checkout = createRoute({
  getParentRoute: () => privateArea,
  path: '/billing/$accountId',
  loader: startsAccount('checkout'),
  component: lazyRouteComponent(() => import('~/features/billing/pages/checkout-page.tsx'), 'CheckoutPage'),
});

// Everything below is rendered inside the shell.
const shell = createRoute({
  getParentRoute: () => privateArea,
  id: 'shell',
  loader: starts('shell'),
  component: lazyRouteComponent(() => import('./shell/shell.tsx'), 'Shell'),
});
const index = createRoute({
  getParentRoute: () => shell,
  path: '/',
  loader: starts('shell'),
  component: lazyRouteComponent(() => import('./shell/shell.tsx'), 'RootRedirect'),
});
const userProfile = createRoute({
  getParentRoute: () => shell,
  path: '/user-profile',
  loader: starts('profile'),
  component: lazyRouteComponent(() => import('~/features/profile/pages/user-profile-page.tsx'), 'UserProfilePage'),
});
const billing = createRoute({
  getParentRoute: () => shell,
  path: '/billing',
  loader: startsAccount('accounts'),
  component: lazyRouteComponent(() => import('~/features/billing/pages/billing-page.tsx'), 'BillingPage'),
});
const accountAudit = createRoute({
  getParentRoute: () => shell,
  path: '/billing/$accountId/audit',
  loader: startsAccount('accountAudit'),
  component: lazyRouteComponent(() => import('~/features/billing/pages/account-audit-page.tsx'), 'AccountAuditPage'),
});
const settings = createRoute({
  getParentRoute: () => shell,
  path: '/settings',
  loader: startsAccount('settings'),
  component: lazyRouteComponent(() => import('~/features/settings/pages/settings-page.tsx'), 'SettingsPage'),
});
const unknown = createRoute({ getParentRoute: () => shell, path: '$', component: NotFoundPage });

const org = createRoute({
  getParentRoute: () => shell,
  path: '/org/$orgId',
  loader: starts('shell'),
  component: lazyRouteComponent(() => import('./org-layout.tsx'), 'OrgLayout'),
});
const home = createRoute({
  getParentRoute: () => org,
  path: '/home',
  staticData: { policy: routePolicies['/home'] },
  loader: starts('home'),
  component: lazyRouteComponent(() => import('~/features/home/pages/home-page.tsx'), 'HomePage'),
});
const playlists = createRoute({
  getParentRoute: () => org,
  path: '/playlists',
  validateSearch: contentSearchOf,
  staticData: { policy: routePolicies['/playlists'] },
  loaderDeps: ({ search }) => search,
  loader: starts('playlists'),
  component: lazyRouteComponent(() => import('~/features/playlists/pages/playlists-page.tsx'), 'PlaylistsPage'),
});
const playlist = createRoute({
  getParentRoute: () => org,
  path: '/playlists/$playlistId',
  validateSearch: playlistSearchOf,
  staticData: { policy: routePolicies['/playlists/$playlistId'] },
  loader: starts('playlist'),
  component: lazyRouteComponent(() => import('~/features/playlists/pages/playlist-page.tsx'), 'PlaylistPage'),
});
const users = createRoute({
  getParentRoute: () => org,
  path: '/users',
  staticData: { policy: routePolicies['/users'] },
  loader: starts('users'),
  component: lazyRouteComponent(() => import('~/features/members/pages/users-page.tsx'), 'UsersPage'),
});
const analytics = createRoute({
  getParentRoute: () => org,
  path: '/analytics',
  validateSearch: reportSearchOf,
  staticData: { policy: routePolicies['/analytics'] },
  loaderDeps: ({ search }) => search,
  loader: startsReport('analytics'),
  component: lazyRouteComponent(() => import('~/features/analytics/pages/analytics-page.tsx'), 'AnalyticsPage'),
});
const itemStats = createRoute({
  getParentRoute: () => org,
  path: '/analytics/content/$contentId',
  validateSearch: reportSearchOf,
  staticData: { policy: routePolicies['/analytics/content/$contentId'] },
  loaderDeps: ({ search }) => search,
  loader: startsReport('contentReport'),
  component: lazyRouteComponent(
    () => import('~/features/analytics/pages/content-report-page.tsx'),
    'ContentReportPage',
  ),
});
const listStats = createRoute({
  getParentRoute: () => org,
  path: '/analytics/playlists/$playlistId',
  validateSearch: reportSearchOf,
  staticData: { policy: routePolicies['/analytics/playlists/$playlistId'] },
  loaderDeps: ({ search }) => search,
  loader: startsReport('playlistReport'),
  component: lazyRouteComponent(
    () => import('~/features/analytics/pages/playlist-report-page.tsx'),
    'PlaylistReportPage',
  ),
});
const leads = createRoute({
  getParentRoute: () => org,
  path: '/leads',
  validateSearch: leadSearchOf,
  staticData: { policy: routePolicies['/leads'] },
  loaderDeps: ({ search }) => search,
  loader: startsReport('leads'),
  component: lazyRouteComponent(() => import('~/features/leads/pages/leads-page.tsx'), 'LeadsPage'),
});
const organisation = createRoute({
  getParentRoute: () => org,
  path: '/profile',
  staticData: { policy: routePolicies['/profile'] },
  loader: starts('organisation'),
  component: lazyRouteComponent(() => import('~/features/orgs/pages/organisation-page.tsx'), 'OrganisationPage'),
});
const audit = createRoute({
  getParentRoute: () => org,
  path: '/audit',
  staticData: { policy: routePolicies['/audit'] },
  loader: startsAccount('audit'),
  component: lazyRouteComponent(() => import('~/features/audit/pages/audit-page.tsx'), 'AuditPage'),
});

/** The complete route tree. */
export const routeTree = root.addChildren([
  publicArea.addChildren([login, signUp, forgotPassword]),
  authenticate,
  resetPassword,
  privateArea.addChildren([
    verifyEmail,
    userDetails,
    companyDetails,
    noPlan,
    invite,
    accountType,
    createAccount,
    selectAccount,
    paymentSuccess,
    paymentCancelled,
    checkout,
    shell.addChildren([
      index,
      userProfile,
      billing,
      accountAudit,
      settings,
      org.addChildren([home, playlists, playlist, users, analytics, itemStats, listStats, leads, organisation, audit]),
      unknown,
    ]),
  ]),
]);
