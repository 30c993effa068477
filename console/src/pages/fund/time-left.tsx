// How long an invoice can still be paid. The server decides when it has expired; this only counts.
import type { FundingInvoice } from '@cardstock/sdk'
import { useEffect, useState } from 'react'
import { now } from '~/lib/clock.ts'
import { Icon } from '~/ui/icon.tsx'
import { Time } from '~/ui/time.tsx'
import styles from './fund.module.css'

const TICK_MS = 1_000

export function TimeLeft({ until }: { until: string }) {
  const [leftMs, setLeftMs] = useState(() => Date.parse(until) - now())
  useEffect(() => {
    const count = () => setLeftMs(Date.parse(until) - now())
    count()
    const timer = setInterval(count, TICK_MS)
    return () => clearInterval(timer)
  }, [until])
  return (
    <p className={styles.left} data-short={leftMs < SHORT_MS}>
      <Icon name="clock" size={16} />
      <span role="timer" className="tabular">
        {formatLeft(leftMs)}
      </span>
      <span className="muted">
        until <Time value={until} />
      </span>
    </p>
  )
}

/** The page reads an invoice that can be paid again within half of this. */
const UNREAD_MS_MAX = 120_000

/**
 * Whether nobody should pay an invoice any more, although the last answer of the server said so: its time is over, and the server cannot be
 * reached since. An answer that is fresh wins, because the clock of this device may be wrong.
 */
export function useIsOver(
  { status, expiresAt }: Pick<FundingInvoice, 'status' | 'expiresAt'>,
  readAtMs: number,
): boolean {
  const isOver = () =>
    status === 'pending' && expiresAt !== null && now() >= Math.max(Date.parse(expiresAt), readAtMs + UNREAD_MS_MAX)
  const [, setOver] = useState(isOver)
  // With each render, because each answer of the server begins anew.
  useEffect(() => {
    const timer = setInterval(() => setOver(isOver()), TICK_MS)
    return () => clearInterval(timer)
  })
  return isOver()
}

/** Below this the time is shown as short, because a transfer needs a few minutes. */
const SHORT_MS = 10 * 60_000

/** `1:04:09 left`, `4:09 left`. */
export function formatLeft(ms: number): string {
  if (ms <= 0) return 'No time left'
  const seconds = Math.floor(ms / 1000)
  const two = (value: number) => String(value).padStart(2, '0')
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60]
  const clock = hours > 0 ? `${hours}:${two(minutes)}` : `${minutes}`
  return `${clock}:${two(seconds % 60)} left`
}
