package fairline;

/** The request has no good token. */
public final class RefusedException extends Exception {
    private static final long serialVersionUID = 1L;
    private final String code;
    private final String reason;

    RefusedException(String kind, String reason) {
        super(codeOf(kind, reason) + " (" + reason + ")", null, false, false);
        this.code = codeOf(kind, reason);
        this.reason = reason;
    }

    /** For the visitor: ENTRY_TOKEN_REQUIRED, ENTRY_TOKEN_INVALID, VWR_REQUIRED, VWR_TOKEN_INVALID. */
    public String code() {
        return code;
    }

    /** Which check failed, for logs: missing, form, header, type, key, algorithm, signature, … */
    public String reason() {
        return reason;
    }

    private static String codeOf(String kind, String reason) {
        boolean isEntry = kind.equals("entry");
        if (reason.equals("missing")) return isEntry ? "ENTRY_TOKEN_REQUIRED" : "VWR_REQUIRED";
        return isEntry ? "ENTRY_TOKEN_INVALID" : "VWR_TOKEN_INVALID";
    }
}
