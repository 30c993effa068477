// Package webhook verifies the webhooks of Cardstock.
package webhook

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"regexp"
	"strconv"
	"strings"
	"time"
)

var timePattern = regexp.MustCompile(`^[0-9]{1,12}$`)
var hexPattern = regexp.MustCompile(`^[0-9a-f]{64}$`)

// Verify returns nil for a genuine body, which is exactly what arrived. Parse it afterwards. now is time.Now().
func Verify(body []byte, header, secret string, now time.Time) error {
	if secret == "" {
		return errors.New("the webhook secret is empty")
	}
	var times, signatures []string
	for _, field := range strings.Split(header, ",") {
		name, value, _ := strings.Cut(strings.TrimSpace(field), "=")
		if name == "t" {
			times = append(times, value)
		} else if name == "v1" && hexPattern.MatchString(value) {
			signatures = append(signatures, value)
		}
	}
	if len(times) != 1 || !timePattern.MatchString(times[0]) || len(signatures) == 0 {
		return errors.New("malformed signature")
	}
	t, _ := strconv.ParseInt(times[0], 10, 64)
	if now.Unix()-t > 300 || t-now.Unix() > 300 {
		return errors.New("too old, or from the future")
	}
	mac := hmac.New(sha256.New, []byte(secret))
	mac.Write([]byte(times[0] + "."))
	mac.Write(body)
	expected := []byte(hex.EncodeToString(mac.Sum(nil)))
	matches := false
	for _, signature := range signatures {
		matches = hmac.Equal(expected, []byte(signature)) || matches
	}
	if !matches {
		return errors.New("wrong signature")
	}
	return nil
}
