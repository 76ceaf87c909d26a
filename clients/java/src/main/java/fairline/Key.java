package fairline;

import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.MessageDigest;
import java.security.PublicKey;
import java.security.Signature;
import java.security.spec.X509EncodedKeySpec;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Map;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** A key fixes its algorithm, so that a token cannot choose one. */
record Key(String algorithm, Check check) {
    /** SubjectPublicKeyInfo, up to the key itself. */
    private static final byte[] ED25519 = HexFormat.of().parseHex("302a300506032b6570032100");
    private static final byte[] P256 = HexFormat.of().parseHex("3059301306072a8648ce3d020106082a8648ce3d03010703420004");

    private static final BigInteger P = hex("ffffffff00000001000000000000000000000000ffffffffffffffffffffffff");
    private static final BigInteger B = hex("5ac635d8aa3a93e7b3ebbd55769886bc651d06b0cc53b0f63bce3c3e27d2604b");
    private static final BigInteger N = hex("ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551");

    interface Check {
        boolean verifies(byte[] signed, byte[] signature) throws GeneralSecurityException;
    }

    boolean verifies(byte[] signed, byte[] signature) {
        try {
            return check.verifies(signed, signature);
        } catch (GeneralSecurityException malformed) {
            return false;
        }
    }

    static Key ofSecret(String secret) {
        SecretKeySpec key = new SecretKeySpec(secret.getBytes(StandardCharsets.UTF_8), "HmacSHA256");
        return new Key("HS256", (signed, signature) -> {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(key);
            return MessageDigest.isEqual(mac.doFinal(signed), signature);
        });
    }

    /** null: not a key that signs tokens. A key set may hold others, which are skipped. */
    static Key ofJwk(Map<?, ?> jwk) {
        if (!isOrAbsent(jwk, "use", "sig")) return null;
        byte[] x = bytesOf(jwk.get("x"));
        byte[] y = bytesOf(jwk.get("y"));
        boolean isEd = "OKP".equals(jwk.get("kty")) && "Ed25519".equals(jwk.get("crv")) && isOrAbsent(jwk, "alg", "EdDSA");
        boolean isEs = "EC".equals(jwk.get("kty")) && "P-256".equals(jwk.get("crv")) && isOrAbsent(jwk, "alg", "ES256");
        try {
            if (isEd && x.length == 32) return ofEd25519(read("Ed25519", ED25519, x));
            return isEs && x.length == 32 && y.length == 32 && isOnCurve(x, y) ? ofP256(read("EC", P256, x, y)) : null;
        } catch (GeneralSecurityException unusable) {
            return null;
        }
    }

    private static Key ofEd25519(PublicKey key) {
        return new Key("EdDSA", (signed, signature) -> verify("Ed25519", key, signed, signature));
    }

    private static Key ofP256(PublicKey key) {
        return new Key("ES256", (signed, signature) -> {
            if (signature.length != 64) return false;
            // JDK 15 to 17.0.2 accept r = s = 0 for every text (CVE-2022-21449).
            boolean isInRange = isScalar(Arrays.copyOfRange(signature, 0, 32)) && isScalar(Arrays.copyOfRange(signature, 32, 64));
            return isInRange && verify("SHA256withECDSAinP1363Format", key, signed, signature);
        });
    }

    private static boolean verify(String name, PublicKey key, byte[] signed, byte[] signature) throws GeneralSecurityException {
        if (signature.length != 64) return false;
        Signature verifier = Signature.getInstance(name);
        verifier.initVerify(key);
        verifier.update(signed);
        return verifier.verify(signature);
    }

    private static PublicKey read(String name, byte[]... parts) throws GeneralSecurityException {
        byte[] der = new byte[0];
        for (byte[] part : parts) {
            int before = der.length;
            der = Arrays.copyOf(der, before + part.length);
            System.arraycopy(part, 0, der, before, part.length);
        }
        return KeyFactory.getInstance(name).generatePublic(new X509EncodedKeySpec(der));
    }

    /** The JDK does not check it. */
    private static boolean isOnCurve(byte[] xBytes, byte[] yBytes) {
        BigInteger x = new BigInteger(1, xBytes);
        BigInteger y = new BigInteger(1, yBytes);
        BigInteger right = x.pow(3).subtract(x.multiply(BigInteger.valueOf(3))).add(B).mod(P);
        return x.compareTo(P) < 0 && y.compareTo(P) < 0 && y.pow(2).mod(P).equals(right);
    }

    private static boolean isScalar(byte[] bytes) {
        BigInteger value = new BigInteger(1, bytes);
        return value.signum() > 0 && value.compareTo(N) < 0;
    }

    private static boolean isOrAbsent(Map<?, ?> jwk, String name, String value) {
        return !jwk.containsKey(name) || value.equals(jwk.get(name));
    }

    private static byte[] bytesOf(Object text) {
        byte[] bytes = text instanceof String encoded ? Json.decode(encoded) : null;
        return bytes == null ? new byte[0] : bytes;
    }

    private static BigInteger hex(String digits) {
        return new BigInteger(digits, 16);
    }
}
