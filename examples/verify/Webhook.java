import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** Verifies the webhooks of Cardstock. Needs Java 17. */
final class Webhook {
  /** True for a genuine body, which is exactly what arrived. Parse it afterwards. The time is in Unix seconds. */
  static boolean verify(byte[] body, String header, String secret, long now) throws GeneralSecurityException {
    List<String> times = new ArrayList<>();
    List<String> signatures = new ArrayList<>();
    for (String field : (header == null ? "" : header).split(",")) {
      String[] parts = field.trim().split("=", 2);
      if (parts.length == 2 && parts[0].equals("t")) times.add(parts[1]);
      if (parts.length == 2 && parts[0].equals("v1") && parts[1].matches("[0-9a-f]{64}")) signatures.add(parts[1]);
    }
    if (times.size() != 1 || !times.get(0).matches("[0-9]{1,12}")) return false;
    if (Math.abs(now - Long.parseLong(times.get(0))) > 300) return false;
    Mac mac = Mac.getInstance("HmacSHA256");
    // An empty secret throws IllegalArgumentException.
    mac.init(new SecretKeySpec(secret.getBytes(StandardCharsets.UTF_8), "HmacSHA256"));
    mac.update((times.get(0) + ".").getBytes(StandardCharsets.UTF_8));
    byte[] expected = HexFormat.of().formatHex(mac.doFinal(body)).getBytes(StandardCharsets.US_ASCII);
    boolean matches = false;
    for (String signature : signatures) {
      matches |= MessageDigest.isEqual(expected, signature.getBytes(StandardCharsets.US_ASCII));
    }
    return matches;
  }
}
