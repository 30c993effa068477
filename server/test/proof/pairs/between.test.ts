// Two requests whose statements alternate.
import { playBetween } from './plays.ts'
import { testPairs } from './matrix.ts'

testPairs(playBetween)
