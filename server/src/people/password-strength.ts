// Decides whether a new password is good enough: its length, and how many guesses an attacker needs who knows the commonest
// passwords, words, names, dates, keyboard patterns, and what people do to them. The estimate is zxcvbn's (ADR-6).
import type { ZxcvbnFactory } from '@zxcvbn-ts/core'
import { PASSWORD_LENGTH_MAX, PASSWORD_LENGTH_MIN } from './rules.ts'

/**
 * The limits of failed sign-ins let a stranger try at most 35 million passwords of an account in a year, and those who have the hash
 * need ten years of a processor's core for this many. A year or a sign behind a common word or name (Berlin2026!!) stays below it; three
 * ordinary words and twelve random characters are far above.
 */
const GUESSES_MIN = 1e9
/** What comes after these characters is not looked at. The time of an estimate grows faster than the length: 40 ms for this many. */
const ESTIMATED_LENGTH_MAX = 64
/** How many ways to read digits and signs as letters are tried. The default, 100, takes three times as long and finds no more of what people choose. */
const SUBSTITUTIONS_MAX = 10

/** What the estimator cannot know to be famous, and the words of this product. */
const KNOWN_TEXTS = ['correcthorsebatterystaple', 'welcometothejungle', 'cardstock', 'operator', 'example']

/** The ends of the sentence "The password …", by what the estimator warns about. */
const PROBLEMS: Readonly<Record<string, string>> = {
  straightRow: 'is a row of keys',
  keyPattern: 'is a pattern of keys',
  simpleRepeat: 'repeats the same few characters',
  extendedRepeat: 'repeats the same few characters',
  sequences: 'is a run of neighbouring characters',
  recentYears: 'is little more than a date',
  dates: 'is little more than a date',
  topTen: 'is one of the most common passwords',
  topHundred: 'is one of the most common passwords',
  common: 'is one of the most common passwords',
  similarToCommon: 'is a common password with small changes',
  userInputs: 'is made of your name, your e-mail address or the name of this server',
}
const BUILT = 'is made of a common word, name or date with few other characters'
const ADVICE = 'Use several words that do not belong together, or twelve random characters'

/** Returns why a new password is refused and what to do, as the end of a sentence; undefined when it is accepted. */
export async function findPasswordProblem(
  password: string,
  person: { email: string; name?: string | undefined },
): Promise<string | undefined> {
  if (password.length < PASSWORD_LENGTH_MIN) return `is shorter than ${PASSWORD_LENGTH_MIN} characters`
  if (password.length > PASSWORD_LENGTH_MAX) return `is longer than ${PASSWORD_LENGTH_MAX} characters`
  const estimator = await loadEstimator()
  const { guesses, feedback } = estimator.check(password.normalize('NFKC'), [...listOwnWords(person), ...KNOWN_TEXTS])
  if (guesses >= GUESSES_MIN) return undefined
  return `${PROBLEMS[feedback.warning ?? ''] ?? BUILT}. ${ADVICE}`
}

/** The name and the address, and the parts of both. */
function listOwnWords({ email, name = '' }: { email: string; name?: string | undefined }): string[] {
  const texts = [email, name].map((text) => text.normalize('NFKC').toLowerCase())
  const parts = texts.flatMap((text) => [text, ...text.split('@'), ...text.split(/[^\p{L}\p{N}]+/u)])
  return [...new Set(parts.filter((part) => part.length > 2))]
}

let loading: Promise<ZxcvbnFactory> | undefined

/** Loaded with the first new password, because it takes a fifth of a second and 10 MB. */
function loadEstimator(): Promise<ZxcvbnFactory> {
  loading ??= Promise.all([import('@zxcvbn-ts/core'), import('@zxcvbn-ts/language-common')]).then(
    ([{ ZxcvbnFactory: Estimator }, { dictionary, adjacencyGraphs: graphs }]) =>
      new Estimator({
        dictionary,
        graphs,
        maxLength: ESTIMATED_LENGTH_MAX,
        l33tMaxSubstitutions: SUBSTITUTIONS_MAX,
      }),
  )
  return loading
}
