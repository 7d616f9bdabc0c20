// Judges a float32 rotary embedding by Vernier's test vectors. Needs a JDK alone, 11 or later.
// java run.java FOLDER      Exit code: 0 if every budget is kept, 1 if not.
// Put your own code in place of `table`.
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

class Run {
    static final int PAIRS = 32;  // of the group rope-half: head_dim 64, base 10000
    static final String KEY = "float32@float32";

    /** A row of cosines or sines, by the textbook: every result is rounded to float32. */
    static float[] table(String role, long position) {
        float[] row = new float[PAIRS];
        for (int i = 0; i < PAIRS; ++i) {
            float phase = position * (1 / (float) Math.pow(10000, 2.0 * i / (2 * PAIRS)));
            row[i] = (float) (role.equals("cos") ? Math.cos(phase) : Math.sin(phase));
        }
        return row;
    }

    static String header;  // JSON: {"NAME":{"dtype":"F64","shape":[6,32],"data_offsets":[0,1536]},...
    static byte[] bytes;   // of the whole file

    static ByteBuffer tensor(String name) {
        int entry = header.indexOf("\"rope-half/" + name + "\":");
        int begin = header.indexOf('[', header.indexOf("\"data_offsets\":", entry)) + 1;
        String[] offsets = header.substring(begin, header.indexOf(']', begin)).split(",");
        int from = Integer.parseInt(offsets[0]), to = Integer.parseInt(offsets[1]);
        return ByteBuffer.wrap(bytes, 8 + header.length() + from, to - from).slice().order(ByteOrder.LITTLE_ENDIAN);
    }

    public static void main(String[] words) throws IOException {
        bytes = Files.readAllBytes(Path.of(words.length > 0 ? words[0] : ".", "vectors.safetensors"));
        int length = (int) ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).getLong();
        header = new String(bytes, 8, length, StandardCharsets.ISO_8859_1);
        ByteBuffer positions = tensor("positions");
        int failures = 0, judged = 0;
        for (String role : new String[] {"cos", "sin"}) {
            ByteBuffer truths = tensor(role + "/float64"), budgets = tensor(role + "/budget/" + KEY);
            for (; truths.hasRemaining(); ++judged) {
                int at = truths.position() / 8;
                float got = table(role, positions.getLong(at / PAIRS * 8))[at % PAIRS];
                float budget = Float.intBitsToFloat(budgets.getShort() << 16);  // bfloat16: a float32's upper half
                failures += Math.abs(got - truths.getDouble()) <= budget ? 0 : 1;  // a NaN is beyond
            }
        }
        System.out.printf("%d of %d elements of rope-half are beyond their budgets of %s%n", failures, judged, KEY);
        System.exit(failures > 0 || judged == 0 ? 1 : 0);
    }
}
