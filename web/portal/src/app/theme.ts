/** The Mantine theme: our palette, sizes and the contrast rules Mantine's defaults miss. */
import {
  type CSSVariablesResolver,
  createTheme,
  defaultVariantColorsResolver,
  type MantineColorsTuple,
  type MantineTheme,
  type ModalProps,
  type VariantColorsResolver,
} from '@mantine/core';
import { fontFamily, type Hue, palette } from '@vitrine/tokens';
import { commonTexts } from '~/shared/lib/texts.ts';

const colours = Object.fromEntries(
  Object.entries(palette).map(([name, shades]) => [name, [...shades] as unknown as MantineColorsTuple]),
) as Record<Hue, MantineColorsTuple>;

/** Filled primary needs dark ink in the dark scheme; Mantine's auto contrast keeps white there. */
const variantColorResolver: VariantColorsResolver = (input) => {
  const colors = defaultVariantColorsResolver(input);
  if (input.variant === 'filled' && (input.color === undefined || input.color === 'orange')) {
    return { ...colors, color: 'var(--mantine-primary-color-contrast)' };
  }
  if (input.variant === 'filled' && input.color === 'red') return { ...colors, color: 'var(--vt-on-danger)' };
  return colors;
};

const tinted: Hue[] = ['yellow', 'red', 'green', 'blue', 'purple', 'gray', 'teal', 'orange'];

/** Custom properties per scheme: surfaces, borders and badge tints that pass WCAG AA. */
export const cssVariablesResolver: CSSVariablesResolver = () => ({
  variables: { '--mantine-heading-font-weight': '600' },
  light: {
    '--mantine-color-body': 'var(--vt-canvas)',
    '--mantine-color-text': 'var(--vt-text)',
    '--mantine-color-dimmed': 'var(--vt-dimmed)',
    '--mantine-color-placeholder': 'var(--vt-dimmed)',
    '--mantine-color-anchor': 'var(--vt-orange-7)',
    '--mantine-color-error': 'var(--vt-red-7)',
    '--mantine-color-default-border': 'var(--vt-input-border)',
    '--mantine-primary-color-contrast': '#ffffff',
    '--vt-on-danger': '#ffffff',
    ...Object.fromEntries(
      tinted.flatMap((hue) => [
        [`--mantine-color-${hue}-light`, `var(--vt-${hue}-1)`],
        [`--mantine-color-${hue}-light-hover`, `var(--vt-${hue}-2)`],
        [`--mantine-color-${hue}-light-color`, `var(--vt-${hue}-8)`],
      ]),
    ),
  },
  dark: {
    '--mantine-color-body': 'var(--vt-canvas)',
    '--mantine-color-text': 'var(--vt-text)',
    '--mantine-color-dimmed': 'var(--vt-dimmed)',
    '--mantine-color-placeholder': 'var(--vt-dimmed)',
    '--mantine-color-anchor': 'var(--vt-orange-4)',
    '--mantine-color-error': 'var(--vt-red-4)',
    '--mantine-color-default': 'var(--vt-dark-8)',
    '--mantine-color-default-hover': 'var(--vt-dark-7)',
    '--mantine-color-default-border': 'var(--vt-input-border)',
    '--mantine-primary-color-contrast': 'var(--vt-gray-9)',
    '--vt-on-danger': 'var(--vt-gray-9)',
    ...Object.fromEntries(
      tinted.flatMap((hue) => [
        [`--mantine-color-${hue}-light`, `color-mix(in srgb, var(--vt-${hue}-6) 18%, var(--vt-dark-8))`],
        [`--mantine-color-${hue}-light-hover`, `color-mix(in srgb, var(--vt-${hue}-6) 26%, var(--vt-dark-8))`],
        [`--mantine-color-${hue}-light-color`, `var(--vt-${hue}-3)`],
      ]),
    ),
  },
});

/** The portal's Mantine theme. */
export const theme = createTheme({
  primaryColor: 'orange',
  primaryShade: { light: 7, dark: 5 },
  colors: colours,
  white: '#ffffff',
  black: palette.gray[9],
  fontFamily,
  variantColorResolver,
  defaultRadius: 'md',
  radius: { xs: '4px', sm: '6px', md: '8px', lg: '12px', xl: '16px' },
  spacing: { xs: '8px', sm: '12px', md: '16px', lg: '24px', xl: '32px' },
  fontSizes: { xs: '12px', sm: '13px', md: '14px', lg: '16px', xl: '18px' },
  headings: {
    fontWeight: '600',
    sizes: {
      h1: { fontSize: '28px', lineHeight: '1.2' },
      h2: { fontSize: '22px', lineHeight: '1.25' },
      h3: { fontSize: '18px', lineHeight: '1.3' },
      h4: { fontSize: '16px', lineHeight: '1.4' },
    },
  },
  cursorType: 'pointer',
  respectReducedMotion: true,
  components: {
    Button: { defaultProps: { radius: 'md' }, styles: { label: { fontWeight: 550 } } },
    Badge: { defaultProps: { tt: 'none', variant: 'light', radius: 'xl' } },
    Modal: {
      defaultProps: {
        radius: 'xl',
        centered: true,
        overlayProps: { backgroundOpacity: 0.45 },
        transitionProps: { transition: 'pop', duration: 160 },
        closeButtonProps: { 'aria-label': commonTexts.close },
      },
      // While a dialog fades out, a late second click must not press its button again.
      styles: (_: MantineTheme, { opened }: ModalProps) => ({ content: opened ? {} : { pointerEvents: 'none' } }),
    },
    // Its element would be another banner of the page.
    ModalHeader: { defaultProps: { role: 'none' } },
    Menu: {
      defaultProps: {
        radius: 'md',
        shadow: 'none',
        withInitialFocusPlaceholder: false,
        transitionProps: { duration: 120 },
      },
    },
    TextInput: { defaultProps: { radius: 'sm' } },
    PasswordInput: { defaultProps: { radius: 'sm' } },
    Textarea: { defaultProps: { radius: 'sm', autosize: true, minRows: 3 } },
    Select: { defaultProps: { radius: 'sm' } },
    ColorInput: { defaultProps: { radius: 'sm' } },
    Tooltip: { defaultProps: { withArrow: true, openDelay: 300 } },
    Skeleton: { defaultProps: { radius: 'sm' } },
  },
});
