// A state as a badge: its word, its colour and its shape, so that nothing depends on seeing colours.
import { type Shape, STATUSES, type Tone } from './statuses.ts'
import styles from './status.module.css'

export function Status({ value }: { value: string }) {
  const { word, tone, shape } = STATUSES[value] ?? { word: value.replaceAll('_', ' '), tone: 'grey', shape: 'dot' }
  return (
    <Badge tone={tone} shape={shape}>
      {word}
    </Badge>
  )
}

export function Badge({ tone, shape, children }: { tone: Tone; shape: Shape; children: string }) {
  return (
    <span className={styles.badge} data-tone={tone}>
      <Mark shape={shape} />
      {children}
    </span>
  )
}

export function Mark({ shape, size = 12 }: { shape: Shape; size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 12 12" aria-hidden="true" focusable="false" className={styles.mark}>
      <path d={MARKS[shape]} />
    </svg>
  )
}

const MARKS: Readonly<Record<Shape, string>> = {
  ring: 'M6 2a4 4 0 1 1 0 8 4 4 0 0 1 0-8Z',
  half: 'M6 2a4 4 0 1 1 0 8 4 4 0 0 1 0-8ZM6 4v2l1.5 1',
  check: 'm2 6.5 2.5 2.5L10 3.5',
  cross: 'm3 3 6 6M9 3 3 9',
  triangle: 'M6 1.5 11 10H1L6 1.5ZM6 4.8v2.2M6 8.6v.1',
  diamond: 'M6 1.5 10.5 6 6 10.5 1.5 6 6 1.5Z',
  snow: 'M6 1.5v9M2 3.8l8 4.4M10 3.8 2 8.2',
  dot: 'M6 5a1 1 0 1 1 0 2 1 1 0 0 1 0-2Z',
  square: 'M2.5 2.5h7v7h-7z',
  back: 'M4.5 2 2 4.5 4.5 7M2 4.5h5a2.5 2.5 0 0 1 0 5H5',
}
