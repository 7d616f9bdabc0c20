// Judges a float32 rotary embedding by Vernier's test vectors. Needs Rust's standard library alone.
// rustc --edition 2021 -O run.rs && ./run FOLDER      Exit code: 0 if every budget is kept, 1 if not.
// Put your own code in place of `table`.
use std::{env, fs, process};

const PAIRS: usize = 32; // of the group rope-half: head_dim 64, base 10000
const KEY: &str = "float32@float32";

/// A row of cosines and sines, by the textbook.
fn table(position: i64) -> (Vec<f32>, Vec<f32>) {
    let frequency = |i: usize| 1.0 / 10000f32.powf(2.0 * i as f32 / (2 * PAIRS) as f32);
    let phases: Vec<f32> = (0..PAIRS).map(|i| position as f32 * frequency(i)).collect();
    (phases.iter().map(|p| p.cos()).collect(), phases.iter().map(|p| p.sin()).collect())
}

struct Vectors {
    header: String, // JSON: {"NAME":{"dtype":"F64","shape":[6,32],"data_offsets":[0,1536]},...
    data: Vec<u8>,
}

impl Vectors {
    fn read(folder: &str) -> Vectors {
        let bytes = fs::read(format!("{folder}/vectors.safetensors")).expect("a folder of vectors");
        let start = 8 + u64::from_le_bytes(bytes[..8].try_into().unwrap()) as usize;
        Vectors { header: String::from_utf8(bytes[8..start].to_vec()).expect("JSON"), data: bytes[start..].to_vec() }
    }

    /// The bytes of the elements of a tensor, `N` each.
    fn tensor<const N: usize>(&self, name: &str) -> Vec<[u8; N]> {
        let (_, entry) = self.header.split_once(&format!("\"rope-half/{name}\":")).expect(name);
        let (_, offsets) = entry.split_once("\"data_offsets\":[").expect(name);
        let (begin, end) = offsets.split_once(']').and_then(|(both, _)| both.split_once(',')).expect(name);
        let range = begin.parse::<usize>().unwrap()..end.parse::<usize>().unwrap();
        self.data[range].chunks_exact(N).map(|element| element.try_into().unwrap()).collect()
    }
}

fn main() {
    let vectors = Vectors::read(&env::args().nth(1).unwrap_or(".".to_string()));
    let positions = vectors.tensor("positions").into_iter().map(i64::from_le_bytes);
    let (cosines, sines): (Vec<_>, Vec<_>) = positions.map(table).unzip();
    let (mut failures, mut judged) = (0, 0);
    for (role, rows) in [("cos", cosines), ("sin", sines)] {
        let truths = vectors.tensor(&format!("{role}/float64")).into_iter().map(f64::from_le_bytes);
        let budgets = vectors.tensor(&format!("{role}/budget/{KEY}")).into_iter().map(u16::from_le_bytes);
        for ((got, truth), budget) in rows.concat().into_iter().zip(truths).zip(budgets) {
            let budget = f32::from_bits((budget as u32) << 16); // a bfloat16 number: the upper half of a float32
            let is_kept = (got as f64 - truth).abs() <= budget as f64; // a NaN is not
            failures += if is_kept { 0 } else { 1 };
            judged += 1;
        }
    }
    println!("{failures} of {judged} elements of rope-half are beyond their budgets of {KEY}");
    process::exit(if failures > 0 { 1 } else { 0 });
}
