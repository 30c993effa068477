// What is accepted as an e-mail address and as a password. Pure.

/** Long enough that guessing over the network, and offline against scrypt, is hopeless for all but the commonest. */
export const PASSWORD_LENGTH_MIN = 12
/** A sentence fits. Longer input only costs work. */
export const PASSWORD_LENGTH_MAX = 256

/** Returns the form in which addresses are stored and compared. */
export function normaliseEmail(email: string): string {
  return email.normalize('NFC').toLowerCase()
}

/** Returns why a new password is refused, as the end of a sentence; undefined when it is accepted. */
export function findPasswordProblem(password: string, { email }: { email: string }): string | undefined {
  if (password.length < PASSWORD_LENGTH_MIN) return `is shorter than ${PASSWORD_LENGTH_MIN} characters`
  if (password.length > PASSWORD_LENGTH_MAX) return `is longer than ${PASSWORD_LENGTH_MAX} characters`
  const lower = password.normalize('NFKC').toLowerCase()
  if (lower === email || lower.replace(/\d+$/, '') === email.split('@')[0]) return 'is your e-mail address'
  if (COMMON_PASSWORDS.has(lower)) return 'is one of the most common passwords'
  // The same few characters over and over, such as aaaaaaaaaaaa or abcabcabcabc.
  if (/^(.{1,4}?)\1+.{0,3}$/.test(lower)) return 'repeats the same few characters'
  if (isRun(lower)) return 'is a run of neighbouring characters'
  return undefined
}

/** Reports 123456789012, abcdefghijkl and the like, up or down. From 9 to 0 is a step too. */
function isRun(text: string): boolean {
  const steps = Array.from({ length: text.length - 1 }, (_, at) => text.charCodeAt(at + 1) - text.charCodeAt(at))
  return [1, -1].some((step) => steps.every((each) => each === step || each === -9 * step))
}

/** The commonest passwords of twelve characters and more, in lower case. Shorter ones are refused for their length. */
const COMMON_PASSWORDS: ReadonlySet<string> = new Set(
  `
    1q2w3e4r5t6y 1q2w3e4r5t6y7u8i 1qaz2wsx3edc 1qaz2wsx3edc4rfv 123123123123 123456789abc 123qweasdzxc
    1234qwerasdf abc123456789 abcd12345678 administrator administrator1 adminadmin12 adminadminadmin adminpassword
    asdfghjkl123 basketball12 changeme1234 changemenow1 changemeplease chocolate123 computer1234
    correcthorsebatterystaple defaultpassword football1234 iloveyou1234 iloveyouforever letmein12345 letmeinplease
    michaeljackson mypassword12 mypassword123 newpassword1 newpassword123 p@ssw0rd1234 p@ssword1234 passw0rd1234
    password1234 password12345 password123456 password1234567 password123! password2024 password2025 password2026
    passwordpassword princess1234 q1w2e3r4t5y6 qazwsxedc123 qazwsxedcrfv qwerty123456 qwerty1234567 qwertyqwerty
    qwertyuiop12 qwertyuiop123 qwertyuiop[] qwertyuiop1234567890 qwertyuiopasdfghjkl secretpassword spiderman123
    starwars1234 sunshine1234 superman1234 test12345678 testpassword thisisapassword trustno11234 unbelievable
    welcome12345 welcome123456 welcometothejungle zaq12wsxcde3 zxcvbnm12345 zxcvbnm,./12
  `
    .trim()
    .split(/\s+/),
)
