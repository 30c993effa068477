// What the patterns of the OpenAPI documents mean, where reading one would take a while. A test compares them with the server's.

const UNPRINTABLE = String.raw`\u0000-\u001F\u007F-\u009F\u200E\u200F\u2028-\u202E\u2066-\u2069`
const BLANKS = String.raw` \u00A0\u1680\u2000-\u200A\u202F\u205F\u3000\uFEFF`

export const PATTERN_TEXTS: Readonly<Record<string, string>> = {
  [String.raw`^\d+(\.\d{1,2})?$`]: 'A decimal string with up to two decimals, such as "25.00".',
  [`^[${BLANKS}]*[^${UNPRINTABLE}${BLANKS}][^${UNPRINTABLE}]*$`]:
    'Not blank; no control characters, line breaks or text-direction marks.',
  [`^[^${UNPRINTABLE}]*$`]: 'No control characters, line breaks or text-direction marks.',
}
