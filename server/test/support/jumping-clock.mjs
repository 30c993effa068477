// Shifts the clock of a process by CLOCK_SHIFT_MS on SIGUSR2, and back on the next one. Loaded with `node --import`.
const shiftMs = Number(process.env.CLOCK_SHIFT_MS)
const RealDate = Date
let isShifted = process.env.CLOCK_STARTS_SHIFTED === 'true'
const now = () => RealDate.now() + (isShifted ? shiftMs : 0)

globalThis.Date = class extends RealDate {
  constructor(...parts) {
    if (parts.length === 0) super(now())
    else super(...parts)
  }
  static now() {
    return now()
  }
}
process.on('SIGUSR2', () => {
  isShifted = !isShifted
})
