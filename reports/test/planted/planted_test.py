#!/usr/bin/env python3
"""What is planted: draws repeat, questions that show a fault are found, and boundaries are compared vector by vector."""

import unittest

import numpy as np

from planted import DISTRIBUTIONS, Kernel, draw_fault, interval, least_that_shows, tells_rightly
from questions import NearQuestions, conditions, coordinates, of_vectors


def least(where, effect):
    return least_that_shows(Kernel({}, conditions(where), effect), 131072, np.random.default_rng(1))


def alike(told, where, effect="nan"):
    return tells_rightly(conditions(told), Kernel({}, conditions(where), effect), np.random.default_rng(1), tries=600)


class Planted(unittest.TestCase):
    def test_conditions_are_read_as_they_are_written(self):
        text = "rows>=33 head<=1 pair==2 batch!=3 position%256==0 index%9!=4 from_end~tail8"
        self.assertEqual(" ".join(map(str, conditions(text))), text)
        question, before = NearQuestions(np.random.default_rng(1), conditions(text), 8192).next()
        vectors = coordinates(question, before) | of_vectors(question, np.arange(question.count)) | {"pair": 2}
        for condition, other in zip(conditions("row%4==1 row>=3 row!=3"), conditions("row%4!=1 row<=2 row==3")):
            np.testing.assert_array_equal(condition.holds(vectors), ~other.holds(vectors))

    def test_coordinates_count_as_an_answer_is_laid_out(self):
        question, _ = NearQuestions(np.random.default_rng(3), conditions("heads==3 batches==2 rows==7 rank==2"), 8192).next()
        for index in range(question.count):
            values = {name: int(value) for name, value in of_vectors(question, np.array(index)).items()}
            self.assertEqual((values["batch"] * question.heads + values["head"]) * question.rows + values["row"], index)
            self.assertEqual(values["row"] + values["from_end"], question.rows - 1)

    def test_drawn_faults_repeat_and_show(self):
        for distribution in DISTRIBUTIONS.values():
            first, second = ([draw_fault(rng, distribution) for _ in range(6)] for rng in (np.random.default_rng(7), np.random.default_rng(7)))
            self.assertEqual([(kernel.text(), size) for kernel, size in first], [(kernel.text(), size) for kernel, size in second])
            self.assertLessEqual(max(size for _, size in first), 131072)

    def test_the_smallest_questions_show_a_fault(self):
        self.assertEqual(least("rows>=777 head>=2", "next"), 3 * 777)
        self.assertIsNone(least("rows>=70000 head>=2", "next"), "more vectors than are asked for")
        self.assertIsNone(least("order==0 own_positions==0", "row_index"), "rows and positions are the same")
        self.assertIsNone(least("first==1", "last_question"), "there is no last question")
        self.assertIsNone(least("pair==23", "next"), "it hardly turns")

    def test_a_boundary_is_right_if_it_holds_of_no_other_vectors(self):
        for told, where in [("row>=100", "rows>=101 row>=100"), ("batches>=2 rank>=2", "batches>=2"), ("position%256==0 pair>=5", "pair>=5 position%256==0"),
                            ("row>=9000", "row>=10000")]:  # no question is so long
            self.assertTrue(alike(told, where), (told, where))
        for told, where in [("row>=100", "row>=101"), ("rows>=101", "row>=100"), ("row>=7000", "row>=7001"), ("index>=4000", "index>=4001"),
                            ("position%256==0", "position%512==0"), ("from_end~tail8", "from_end~tail16"), ("same_ends==1", "same_positions==1"),
                            ("head>=2", "head>=2 order==7"), ("head>=2", "head>=2 refused_before==0")]:
            self.assertFalse(alike(told, where), (told, where))
        # The first row has no other before it.
        self.assertTrue(alike("rows>=33 row>=1", "rows>=33", "previous_row"))
        self.assertFalse(alike("rows>=33 row>=2", "rows>=33", "previous_row"))

    def test_intervals_are_those_of_wilson(self):
        np.testing.assert_allclose(interval(98, 100), (0.930, 0.9945), atol=5e-4)


if __name__ == "__main__":
    unittest.main()
