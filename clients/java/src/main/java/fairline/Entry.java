package fairline;

import java.time.Instant;

/**
 * The content of a good token.
 *
 * @param visitor of a vwr token: the device
 * @param tokenId the same for all tokens of one admission
 */
public record Entry(String event, String visitor, String tokenId, Instant expiresAt) {}
