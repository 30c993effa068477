# Verifies the webhooks of Cardstock in bash, with sha256sum.

# verify_webhook HEADER [NOW] <body: succeeds if the body is genuine. The secret is in WEBHOOK_SECRET.
verify_webhook() {
  local LC_ALL=C now=${2:-$(date +%s)} field time='' times=0 signatures=() inner='' outer='' hash i byte
  (( ${#WEBHOOK_SECRET} > 0 && ${#WEBHOOK_SECRET} <= 64 )) || { echo 'WEBHOOK_SECRET is not a secret' >&2; return 1; }
  while IFS= read -r -d, field; do
    field=${field# }
    if [[ $field == t=* ]]; then time=${field#t=} times=$((times + 1)); fi
    if [[ $field =~ ^v1=([0-9a-f]{64})$ ]]; then signatures+=("${BASH_REMATCH[1]}"); fi
  done < <(printf '%s,' "$1")
  if [[ $times != 1 || ! $time =~ ^[0-9]{1,12}$ || ${#signatures[@]} == 0 ]]; then
    echo 'malformed signature' >&2; return 1
  fi
  if (( now - 10#$time > 300 || 10#$time - now > 300 )); then echo 'too old, or from the future' >&2; return 1; fi
  # HMAC: the SHA-256 of the secret with one mask, and of the SHA-256 of the secret with the other mask and the message.
  for (( i = 0; i < 64; i++ )); do
    byte=0
    if (( i < ${#WEBHOOK_SECRET} )); then printf -v byte %d "'${WEBHOOK_SECRET:i:1}"; fi
    printf -v inner '%s\\x%02x' "$inner" $((byte ^ 0x36))
    printf -v outer '%s\\x%02x' "$outer" $((byte ^ 0x5c))
  done
  hash=$({ printf "$inner"; printf '%s.' "$time"; cat; } | sha256sum)
  for (( i = 0; i < 64; i += 2 )); do outer+="\\x${hash:i:2}"; done
  hash=$(printf "$outer" | sha256sum)
  for field in "${signatures[@]}"; do
    if [[ $field == "${hash%% *}" ]]; then return 0; fi
  done
  echo 'wrong signature' >&2; return 1
}
