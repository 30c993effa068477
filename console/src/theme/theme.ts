// The look: one accent, neutral greys, five sizes of type, two weights. Components take everything from here.
import { createTheme, type CSSVariablesResolver } from '@mantine/core'

/** Greys with a little blue, so that light and dark look like the same product. The tenth is almost black. */
const GRAY = [
  '#f8f9fb',
  '#f1f3f6',
  '#e4e8ed',
  '#d3d9e0',
  '#b3bcc7',
  '#8a95a3',
  '#5f6b7a',
  '#4a5562',
  '#2f3843',
  '#171d24',
] as const

/** From text on dark to the darkest background, as Mantine expects. */
const DARK = [
  '#e3e7ec',
  '#c3cad3',
  '#9aa5b3',
  '#7d8998',
  '#3d4753',
  '#2c343e',
  '#20272f',
  '#161b21',
  '#10141a',
  '#0b0e12',
] as const

export const theme = createTheme({
  fontFamily: "'Inter Variable', system-ui, sans-serif",
  fontFamilyMonospace: "ui-monospace, 'SF Mono', 'Cascadia Mono', 'DejaVu Sans Mono', monospace",
  fontSizes: { xs: '0.75rem', sm: '0.875rem', md: '1rem', lg: '1.25rem', xl: '1.75rem' },
  lineHeights: { xs: '1.35', sm: '1.45', md: '1.5', lg: '1.35', xl: '1.2' },
  spacing: { xs: '0.5rem', sm: '0.75rem', md: '1rem', lg: '1.5rem', xl: '2rem' },
  headings: { fontWeight: '600' },
  colors: { gray: GRAY, dark: DARK },
  primaryColor: 'indigo',
  primaryShade: { light: 8, dark: 8 },
  defaultRadius: 'md',
  respectReducedMotion: true,
  cursorType: 'pointer',
  components: {
    // Locking the scroll position would write a style element without our nonce.
    Modal: { defaultProps: { lockScroll: false, centered: true, radius: 'lg' } },
    // The palette is made of the parts of a dialog.
    ModalRoot: { defaultProps: { lockScroll: false } },
    Tooltip: { defaultProps: { events: { hover: true, focus: true, touch: true }, openDelay: 200 } },
  },
})

/** Mantine's own muted and error texts are too pale for WCAG AA on our backgrounds. */
export const cssVariables: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    '--mantine-color-dimmed': GRAY[6],
    '--mantine-color-placeholder': GRAY[6],
    '--mantine-color-error': '#c02626',
    '--mantine-color-body': '#ffffff',
    '--mantine-color-text': GRAY[9],
  },
  dark: {
    '--mantine-color-dimmed': DARK[2],
    '--mantine-color-placeholder': DARK[2],
    '--mantine-color-error': '#ff8787',
    '--mantine-color-text': DARK[0],
  },
})
